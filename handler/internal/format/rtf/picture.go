package rtf

import (
	"strings"

	"decant/handler/internal/doc"
)

const maxPicture = 128 << 20 // bytes of one picture

// picture is a \pict group that is being read.
type picture struct {
	data      []byte
	half      byte
	odd       bool
	mediaType string
	bitmap    bool // a bitmap without the header of a file
}

var pictureTypes = map[string]string{
	"pngblip": "image/png", "jpegblip": "image/jpeg", "emfblip": "image/x-emf", "wmetafile": "image/x-wmf", "dibitmap": "image/bmp", "wbitmap": "image/bmp", "macpict": "image/x-pict",
}

func (pic *picture) control(tok token) {
	if kind, ok := pictureTypes[tok.word]; ok {
		pic.mediaType, pic.bitmap = kind, tok.word == "dibitmap"
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
	alt := p.alt
	p.alt = ""
	data := pic.data
	if pic.bitmap {
		data = withFileHeader(data)
	}
	img, err := p.in.Files.Image(data, pic.mediaType, "", alt)
	if err != nil {
		p.doc.Warn("image_skipped", "A picture could not be written and was left out.")
		return
	}
	if !p.images[img.ID] {
		p.images[img.ID] = true
		p.doc.Images = append(p.doc.Images, img)
	}
	p.story.add(doc.Inline{Kind: doc.Picture, Image: img.ID, Text: alt, Link: p.st.link})
}

// propertyValue keeps the description of a picture; the other properties of a shape say how it looks.
func (p *parser) propertyValue(value string) {
	if p.property == "wzDescription" {
		p.alt = strings.Join(strings.Fields(value), " ")
	}
	p.property = ""
}

// shape reads a drawing. Its description may come after its picture.
func (p *parser) shape() {
	if p.st.skip {
		return
	}
	s := p.story
	before := len(s.inlines)
	p.st.end = func() {
		if last := len(s.inlines) - 1; last >= before && s.inlines[last].Kind == doc.Picture && s.inlines[last].Text == "" {
			s.inlines[last].Text = p.alt
			for i := range p.doc.Images {
				if img := &p.doc.Images[i]; img.ID == s.inlines[last].Image && img.Alt == "" {
					img.Alt = p.alt
				}
			}
		}
		p.alt = ""
	}
}
