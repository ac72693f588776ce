package subtitle_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/subtitle"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, subtitle.VTT(), "a.vtt",
		"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>hi <i>there</i>\n",
	)
}
