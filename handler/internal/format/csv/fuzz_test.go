package csv_test

import (
	"testing"

	"decant/handler/internal/format/csv"
	"decant/handler/internal/format/formattest"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, csv.Format(), "a.csv",
		"a,b\n1,2,3\n4\n",
		"a;b\n\"x;y\";\"l1\nl2\"\n5\" p;ok\n",
		"a\tb\r1\t2\r",
		"sep=;\na;b\n",
	)
}
