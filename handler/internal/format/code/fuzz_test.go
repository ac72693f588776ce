package code_test

import (
	"testing"

	"decant/handler/internal/format/code"
	"decant/handler/internal/format/formattest"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, code.Format(), "a.go",
		"package a\n",
	)
}
