package subtitle_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/subtitle"
	"decant/handler/internal/markdown"
)

func TestTextOutsideOfCuesIsKept(t *testing.T) {
	const first = "00:01.000 --> 00:02.000\nHello.\n\n"
	tests := []struct {
		name, text, want string
		warned           []int // lines
	}{
		{"a block without a time line", "WEBVTT\n\n" + first + "Lost words\nof two lines\n\n" + first, "Hello.\n\nLost words\\\nof two lines\n\nHello.\n", []int{6}},
		{"an arrow too short", "WEBVTT\n\n00:05 -> 00:06\nBad arrow.\n\n" + first, "Bad arrow.\n\nHello.\n", []int{4}},
		{"an arrow too short below a name", "WEBVTT\n\nintro\n00:00:05.000 -> 00:00:06.000\nBad arrow.\n", "Bad arrow.\n", []int{5}},
		{"a time that is none", "WEBVTT\n\nsoon --> later\nBad times.\n", "soon --> later\\\nBad times.\n", []int{3}},
		{"a blank line inside a cue", "1\n00:00:01,000 --> 00:00:02,000\nHello.\n\nAnd on.\n\n2\n00:00:03,000 --> 00:00:04,000\nBye.\n", "Hello.\n\nAnd on.\n\nBye.\n", []int{5}},
		{"a number without a time line", "1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\nNo time.\n", "Hello.\n\nNo time.\n", []int{6}},
		{"a number above a blank line is the cue's", "1\n\n00:00:01,000 --> 00:00:02,000\nHello.\n", "Hello.\n", nil},
		{"a number alone", "1\n00:00:01,000 --> 00:00:02,000\nThe answer:\n\n42\n", "The answer:\n\n42\n", []int{5}},
		{"times inside of what is said", "WEBVTT\n\n00:01.000 --> 00:02.000\nfrom\n00:05 -> 00:06\n", "from\\\n00:05 -> 00:06\n", nil},
		{"notes, styles, regions and headers are not", "WEBVTT x\nKind: captions\n\nNOTE a\nb\n\nNOTE\nc\n\nSTYLE\n::cue {}\n\nREGION\nid:a\n\n" + first, "Hello.\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := &format.Input{ReaderAt: strings.NewReader(tt.text), Size: int64(len(tt.text)), Progress: func(int, int) {}}
			d, err := subtitle.VTT().Parse(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, markdown.Render(d, markdown.Options{}).Text); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.warned, repairs(d)); diff != "" {
				t.Errorf("lines warned of: %s", diff)
			}
		})
	}
}

func repairs(d *doc.Document) (lines []int) {
	for _, w := range d.Warnings {
		if w.Class == "repaired" {
			for _, p := range w.Places {
				lines = append(lines, p.Line)
			}
		}
	}
	return lines
}
