package odf

import (
	"errors"
	"io/fs"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/xmltree"
)

// Walk reads content.xml as Stream does, for parsers that want the body element's children as a stream too: inside is called with
// the scanner on the start tag of each child and must read it to its end (Element, Skip). beside, which may be nil, also gets the
// elements that stand beside the body: styles, which the reader takes in.
func (r *Reader) Walk(body string, beside func(*xmltree.Node), inside func(*xmltree.Scanner) error) error {
	s, err := r.pkg.Scan("content.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Corrupt, "The document's content is missing from the file.", err)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	found, inBody := false, 0
	for s.Next() {
		switch {
		case s.Kind() == xmltree.End && s.Depth() < inBody:
			inBody = 0
		case s.Kind() != xmltree.Start:
		case inBody > 0:
			if err := inside(s.Scanner); err != nil {
				return err
			}
			if err := r.ctx.Err(); err != nil {
				return err
			}
		case s.Name() == body:
			found, inBody = true, s.Depth()
		case strings.HasPrefix(s.Name(), "office:document"), s.Name() == "office:body":
		default:
			n := s.Element()
			r.common(n)
			if beside != nil {
				beside(n)
			}
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	if !found {
		return fault.New(fault.Corrupt, "The file has no OpenDocument content of the expected kind in it.", nil)
	}
	s.Damage().Warn(r.doc, "content.xml")
	return nil
}
