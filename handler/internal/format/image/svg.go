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
	"decant/handler/internal/htmldoc"
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
	s := svgReader{ctx: ctx, source: text, d: d, include: in.Options.Hidden == "include", used: strings.Contains(text, "<use"), decoder: xml.NewDecoder(strings.NewReader(text))}
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
	d        *doc.Document
	decoder  *xml.Decoder
	include  bool     // show hidden texts
	used     bool     // the drawing uses parts that it defines
	inside   []string // open elements of interest
	text     strings.Builder
	hidden   strings.Builder // of the same element, not seen
	links    []string        // of the open a elements
	switches []int           // depths of the open switch elements
	chosen   int             // the depth of a switch whose alternative was shown; 0 for none
	ctx      context.Context
	source   string
	depth    int // of open elements
	unseen   int // the depth of the outermost element that is not seen; 0 for none
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
			s.depth++
			s.start(t)
		case xml.EndElement:
			s.end(t.Name.Local)
			s.depth--
			if s.depth < s.unseen {
				s.unseen = 0
			}
		case xml.CharData:
			if len(s.inside) > 0 {
				s.out().Write(t)
			}
		}
	}
}

// out is where text goes.
func (s *svgReader) out() *strings.Builder {
	if s.unseen > 0 && !s.include {
		return &s.hidden
	}
	return &s.text
}

// notSeen tells whether an element and what is in it is not drawn where it stands. Definitions are drawn where they are used.
func (s *svgReader) notSeen(t xml.StartElement) bool {
	switch t.Name.Local {
	case "defs", "symbol", "clipPath", "mask", "pattern", "marker":
		return !s.used
	case "title", "desc", "metadata":
		return false
	}
	style := strings.ReplaceAll(attribute(t, "style"), " ", "")
	return attribute(t, "display") == "none" || attribute(t, "visibility") == "hidden" || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

func (s *svgReader) start(t xml.StartElement) {
	if n := len(s.switches); n > 0 && s.chosen == s.switches[n-1] && s.depth == s.chosen+1 {
		s.skip() // of a switch, one alternative is shown
		return
	}
	if s.unseen == 0 && s.notSeen(t) {
		s.unseen = s.depth
	}
	switch t.Name.Local {
	case "a":
		s.links = append(s.links, attribute(t, "href"))
	case "text", "title", "desc":
		s.inside = append(s.inside, t.Name.Local)
	case "tspan":
		if attribute(t, "x")+attribute(t, "y")+attribute(t, "dy") != "" {
			s.out().WriteByte(' ') // a line of its own; without a place it goes on with the word
		}
	case "switch":
		s.switches = append(s.switches, s.depth)
	case "foreignObject":
		s.foreign()
	case "script":
		s.d.Warn("active_content", "A script was left out.")
		s.skip()
	case "style":
		s.skip()
	case "image":
		s.d.Warn("unsupported_part", "A picture inside the drawing was not read.")
	}
}

// foreign reads HTML inside of the drawing, as diagram programs write the texts of their boxes. Of a switch it is the alternative
// that is shown.
func (s *svgReader) foreign() {
	from := s.decoder.InputOffset()
	line, _ := s.decoder.InputPos()
	s.skip()
	content := s.source[from:min(s.decoder.InputOffset(), int64(len(s.source)))]
	if i := strings.LastIndex(content, "</"); i >= 0 {
		content = content[:i]
	}
	if n := len(s.switches); n > 0 && s.switches[n-1] == s.depth {
		s.chosen = s.depth
	}
	inner := s.d
	if s.unseen > 0 && !s.include {
		inner = &doc.Document{}
	}
	if err := htmldoc.Convert(s.ctx, inner, content, htmldoc.Options{Place: doc.Place{Line: line}}); err != nil {
		s.d.Warn("unsupported_part", "A text in HTML inside the drawing could not be read.")
	}
	if inner != s.d {
		s.hidden.WriteString(plainText(inner.Blocks))
		s.keepHidden()
	}
}

func plainText(blocks []doc.Block) string {
	var b strings.Builder
	doc.Walk(blocks, func(block *doc.Block) bool {
		b.WriteString(block.PlainText() + " ")
		return true
	})
	return b.String()
}

// skip passes over an element to behind its end. An error comes again with the next token.
func (s *svgReader) skip() {
	_ = s.decoder.Skip()
	s.depth--
}

func (s *svgReader) end(name string) {
	if n := len(s.switches); name == "switch" && n > 0 && s.switches[n-1] == s.depth {
		s.switches, s.chosen = s.switches[:n-1], 0
	}
	if name == "a" && len(s.links) > 0 {
		s.links = s.links[:len(s.links)-1]
	}
	if n := len(s.inside); n == 0 || s.inside[n-1] != name {
		return
	}
	s.inside = s.inside[:len(s.inside)-1]
	s.keepHidden()
	text := taken(&s.text)
	if text == "" {
		return
	}
	if name == "title" && s.d.Metadata.Title == "" {
		s.d.Metadata.Title = text
		s.d.Blocks = append(s.d.Blocks, doc.H(1, text))
		return
	}
	line, _ := s.decoder.InputPos()
	s.d.Blocks = append(s.d.Blocks, doc.Block{
		Kind: doc.Paragraph, Inlines: []doc.Inline{{Kind: doc.Text, Text: text, Link: s.link()}}, Places: []doc.Place{{Line: line, EndLine: line}},
	})
}

func taken(b *strings.Builder) string {
	text := strings.Join(strings.Fields(charset.Decode(b.String()).String), " ")
	b.Reset()
	return text
}

// keepHidden keeps texts apart that nobody sees.
func (s *svgReader) keepHidden() {
	if text := taken(&s.hidden); text != "" {
		s.d.Warn("hidden_element", "Texts that the drawing does not show were kept apart.")
		s.d.Hidden = append(s.d.Hidden, doc.Hidden{Reason: "hidden_element", Blocks: []doc.Block{doc.P(text)}})
	}
}

// link is the target of the innermost link, when it is a safe one.
func (s *svgReader) link() string {
	if len(s.links) == 0 {
		return ""
	}
	target := s.links[len(s.links)-1]
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if strings.HasPrefix(strings.ToLower(target), scheme) {
			return target
		}
	}
	return ""
}
