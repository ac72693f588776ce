package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"decant/handler/internal/doc"
	"decant/handler/internal/layout"
	"decant/handler/internal/pdfium"
)

// Limits of pictures. Smaller ones are bullets, icons and lines.
const (
	minPicture        = 18.0 // points
	maxPicturesOnPage = 200
	maxPictures       = 5_000
)

// savePictures takes the page's images out and hands them to the layout.
func (p *parse) savePictures(page *pdfium.Page, g *graphics, into *layout.Page, tags map[int]pdfium.Element, background bool) {
	taken := 0
	for _, picture := range g.pictures {
		w, h := picture.box.X1-picture.box.X0, picture.box.Y1-picture.box.Y0
		if w < minPicture || h < minPicture || background && w*h > ocrShare*g.v.width*g.v.height {
			continue
		}
		if taken++; taken > maxPicturesOnPage || len(p.out.Images) >= maxPictures {
			p.out.Warn("image_skipped", "A page has more pictures than are taken out; the rest was left out.", doc.Place{Page: into.Number})
			return
		}
		alt := tags[page.Tag(picture.handle)].Alt
		placed := layout.Image{Box: picture.box, Alt: alt}
		if p.in.Options.Images != "none" {
			placed.ID = p.savePicture(page, picture, into.Number, alt)
		}
		into.Images = append(into.Images, placed)
	}
}

// savePicture saves one picture and gives its id, or "" with a warning.
func (p *parse) savePicture(page *pdfium.Page, picture picture, number int, alt string) string {
	box := picture.box
	place := doc.Place{Page: number, Box: &box}
	data, mediaType := encode(page.ImageData(picture.handle))
	if data == nil {
		p.out.Warn("image_skipped", "A picture could not be read and was left out.", place)
		return ""
	}
	saved, err := p.in.Files.Image(data, mediaType, fmt.Sprintf("page %d", number), alt)
	if err != nil {
		p.out.Warn("image_skipped", "A picture could not be saved and was left out.", place)
		return ""
	}
	if !p.saved[saved.ID] {
		p.saved[saved.ID] = true
		saved.Alt = alt
		saved.Places = []doc.Place{place}
		p.out.Images = append(p.out.Images, saved)
	}
	return saved.ID
}

func encode(jpeg []byte, pixels image.Image) (data []byte, mediaType string) {
	if jpeg != nil {
		return jpeg, "image/jpeg"
	}
	if pixels == nil {
		return nil, ""
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, pixels); err != nil {
		return nil, ""
	}
	return b.Bytes(), "image/png"
}
