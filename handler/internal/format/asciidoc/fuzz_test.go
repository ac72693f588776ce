package asciidoc_test

import (
	"testing"

	"decant/handler/internal/format/asciidoc"
	"decant/handler/internal/format/formattest"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, asciidoc.Format(), "a.adoc",
		"= T\nA B\n:x: y\n\n== S\n\n* a\n** b\n+\n----\ncode\n----\n\n|===\n|a|b\n\n2+|c\n|===\n\nNOTE: x footnote:[y] <<z>>\n",
	)
}
