package jsonfmt_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/jsonfmt"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, jsonfmt.JSON(), "a.json",
		"{\"a\":[{\"b\":1},{\"b\":2}],\"c\":{\"d\":[1,[2]]}}",
		"{\"a\":1}\n{\"a\":2}\n",
	)
}

func FuzzYAML(f *testing.F) {
	formattest.Fuzz(f, jsonfmt.YAML(), "a.yaml", "a: &x [1, *x]\nb: {c: d}\n", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n")
}
