package ics_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/ics"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, ics.Calendar(), "a.ics",
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Europe/Berlin:20240101T100000\nEND:VEVENT\nEND:VCALENDAR\n",
	)
}
