package image

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

var svgStart = lazyregexp.New(`^\s*(?:<\?xml[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE svg[^>\[]*(?:\[[\s\S]*?\])?\s*>\s*)*<(?:svg:)?svg[\s>]`)

// svg describes drawings.
func svg() format.Format {
	return format.Format{
		Name: "svg", Title: "SVG drawing", Extensions: []string{".svg"}, MediaTypes: []string{"image/svg+xml"},
		Description: "title, description and texts of the drawing",
		Match: func(h *format.Head) int {
			if svgStart.MatchString(h.Text) {
				return 96
			}
			return 0
		},
		Parse: parseSVG,
	}
}

// parseSVG reads the texts in order, without drawing: title and description first, each text element a paragraph.
func parseSVG(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	raw, err := textfile.ReadRaw(in)
	if err != nil {
		return nil, err
	}
	text := textfile.Decode(raw, d)
	s := svgReader{d: d, decoder: xml.NewDecoder(strings.NewReader(text))}
	s.decoder.Strict = false
	s.decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	if err := s.read(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		d.Warn("truncated", "The drawing is not well-formed; its texts were read up to the damage.")
	}
	return d, nil
}

// svgReader walks over the elements once.
type svgReader struct {
	d       *doc.Document
	decoder *xml.Decoder
	inside  []string // open elements of interest
	text    strings.Builder
}

func (s *svgReader) read(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, err := s.decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			s.start(t)
		case xml.EndElement:
			s.end(t.Name.Local)
		case xml.CharData:
			if len(s.inside) > 0 {
				s.text.Write(t)
			}
		}
	}
}

func (s *svgReader) start(t xml.StartElement) {
	switch t.Name.Local {
	case "text", "title", "desc":
		s.inside = append(s.inside, t.Name.Local)
	case "tspan":
		s.text.WriteByte(' ')
	case "script":
		s.d.Warn("active_content", "A script was left out.")
		s.skip()
	case "style":
		s.skip()
	case "image":
		s.d.Warn("unsupported_part", "A picture inside the drawing was not read.")
	}
}

func (s *svgReader) skip() { _ = s.decoder.Skip() } // its error comes again with the next token

func (s *svgReader) end(name string) {
	if n := len(s.inside); n == 0 || s.inside[n-1] != name {
		return
	}
	s.inside = s.inside[:len(s.inside)-1]
	text := strings.Join(strings.Fields(charset.Decode(s.text.String()).String), " ")
	s.text.Reset()
	if text == "" {
		return
	}
	if name == "title" && s.d.Metadata.Title == "" {
		s.d.Metadata.Title = text
		s.d.Blocks = append(s.d.Blocks, doc.H(1, text))
		return
	}
	line, _ := s.decoder.InputPos()
	s.d.Blocks = append(s.d.Blocks, doc.P(text, doc.Place{Line: line, EndLine: line}))
}
