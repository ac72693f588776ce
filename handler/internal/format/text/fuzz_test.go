package text_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/text"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, text.Format(), "a.txt",
		"a\nb\n\n- x\n- y\n",
	)
}
