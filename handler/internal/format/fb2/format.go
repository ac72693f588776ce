package fb2

import (
	"context"
	"io"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/xmltree"
	"decant/handler/internal/zipfile"
)

// Format describes FictionBook books to the registry.
func Format() format.Format {
	return format.Format{
		Name:        "fb2",
		Title:       "FictionBook",
		Extensions:  []string{".fb2", ".fbz"},
		MediaTypes:  []string{"application/x-fictionbook+xml", "application/x-fictionbook"},
		Description: "nested sections with titles, poems, quotes, notes, tables, pictures, metadata",
		Match:       match,
		Parse:       Parse,
	}
}

func match(h *format.Head) int {
	if strings.Contains(h.Text, "<FictionBook") {
		return format.Certain
	}
	if member(h.Members) != "" {
		return format.Structure
	}
	return 0
}

// member is the book in a zip that holds nothing else, or "".
func member(names []string) string {
	if len(names) == 1 && strings.HasSuffix(strings.ToLower(names[0]), ".fb2") {
		return names[0]
	}
	return ""
}

// Parse reads a FictionBook.
func Parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	open, err := source(in)
	if err != nil {
		return nil, err
	}
	r := newReader(ctx, in)
	for _, pass := range []func(*xmltree.Scanner) error{r.collect, r.read} {
		body, err := open()
		if err != nil {
			return nil, err
		}
		s := xmltree.NewScanner(body, xmltree.Options{Namespaces: namespaces, MaxDepth: in.Limits.Depth})
		err = pass(s)
		if closeErr := body.Close(); err == nil {
			err = closeErr
		}
		if err == nil {
			err = s.Err()
		}
		if err != nil {
			return nil, err
		}
		r.damage = s.Damage()
	}
	return r.finish()
}

// source gives a way to open the book's XML as often as it is wanted.
func source(in *format.Input) (open func() (io.ReadCloser, error), err error) {
	head := make([]byte, 4)
	if n, _ := in.ReadAt(head, 0); n == 0 {
		return nil, fault.New(fault.Empty, "", nil)
	}
	if string(head) != "PK\x03\x04" {
		return func() (io.ReadCloser, error) { return io.NopCloser(in.Reader()), nil }, nil
	}
	archive, err := zipfile.Open(in, in.Size, in.Limits.Unpack)
	if err != nil {
		return nil, err
	}
	name := member(archive.Names())
	if name == "" {
		return nil, fault.New(fault.Corrupt, "The zip holds no FictionBook.", nil)
	}
	return func() (io.ReadCloser, error) {
		m, err := archive.Open(name)
		if err != nil {
			return nil, err
		}
		return m, nil
	}, nil
}

var namespaces = map[string]string{
	"http://www.gribuser.ru/xml/fictionbook/2.0": "",
	"http://www.gribuser.ru/xml/fictionbook/2.1": "",
	"http://www.w3.org/1999/xlink":               "xlink",
}
