package rtf

import (
	"decant/handler/internal/doc"
)

const maxPicture = 128 << 20 // bytes of one picture

// picture is a \pict group that is being read.
type picture struct {
	data      []byte
	half      byte
	odd       bool
	mediaType string
}

var pictureTypes = map[string]string{
	"pngblip": "image/png", "jpegblip": "image/jpeg", "emfblip": "image/x-emf", "wmetafile": "image/x-wmf", "dibitmap": "image/bmp", "wbitmap": "image/bmp", "macpict": "image/x-pict",
}

func (pic *picture) control(tok token) {
	if kind, ok := pictureTypes[tok.word]; ok {
		pic.mediaType = kind
	}
}

func (pic *picture) digit(c byte) {
	value, ok := hexDigit(c)
	switch {
	case !ok || len(pic.data) >= maxPicture:
	case pic.odd:
		pic.data = append(pic.data, pic.half<<4|value)
		pic.odd = false
	default:
		pic.half, pic.odd = value, true
	}
}

// pict reads a picture and puts it where the text is.
func (p *parser) pict() {
	if p.st.skip {
		return
	}
	pic := &picture{}
	p.st.picture = pic
	p.st.end = func() {
		if len(pic.data) > 0 {
			p.addPicture(pic)
		}
	}
}

func (p *parser) addPicture(pic *picture) {
	img, err := p.in.Files.Image(pic.data, pic.mediaType, "", "")
	if err != nil {
		p.doc.Warn("image_skipped", "A picture could not be written and was left out.")
		return
	}
	if !p.images[img.ID] {
		p.images[img.ID] = true
		p.doc.Images = append(p.doc.Images, img)
	}
	p.story.add(doc.Inline{Kind: doc.Picture, Image: img.ID, Link: p.st.link})
}
