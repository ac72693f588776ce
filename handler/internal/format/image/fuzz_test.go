package image_test

import (
	"context"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/image"
)

// FuzzParse gives the bytes to every picture format that takes them for its own.
func FuzzParse(f *testing.F) {
	all := image.Formats()
	formattest.Fuzz(f, format.Format{Name: "png", Match: all[0].Match, Parse: func(ctx context.Context, in *format.Input) (*doc.Document, error) {
		head, err := format.ReadHead(in, in.Size, in.Name)
		if err != nil {
			return nil, err
		}
		found, err := format.Detect(all, head)
		if err != nil {
			return nil, err
		}
		return found.Format.Parse(ctx, in)
	}}, "a", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00", "\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00",
		"II*\x00\x08\x00\x00\x00\x01\x00\x00\x01\x03\x00\x01\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00", "GIF89a\x01\x00\x01\x00", "RIFF\x00\x00\x00\x00WEBPVP8X", "<svg><text>a<tspan>b</tspan></text></svg>")
}
