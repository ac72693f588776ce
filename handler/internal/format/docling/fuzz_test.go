package docling_test

import (
	"testing"

	"decant/handler/internal/format/docling"
	"decant/handler/internal/format/formattest"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, docling.Format(), "document.json", `{"schema_name":"DoclingDocument","body":{"children":[{"$ref":"#/texts/0"}]},"texts":[{"label":"title","text":"x"}]}`)
}
