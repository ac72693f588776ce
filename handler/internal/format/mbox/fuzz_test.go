package mbox_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/mbox"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, mbox.Format(), "a.mbox",
		"From a@b Mon Jan  1 00:00:00 2001\nSubject: x\n\ny\n\nFrom c@d Mon Jan  1 00:00:00 2001\n\nz\n",
	)
}
