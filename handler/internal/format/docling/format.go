package docling

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/docling"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
)

// maxBytes bounds the JSON, which is held whole: its pictures are in it.
const maxBytes = 256 << 20

// Format describes documents that docling has converted.
func Format() format.Format {
	return format.Format{
		Name: "docling", Title: "DoclingDocument", Paged: "page",
		Extensions: []string{".json"}, MediaTypes: []string{"application/vnd.docling+json"},
		Description: "what docling has read: headings, lists, tables with spans, pictures, formulas, code, furniture, places on pages",
		Match:       match,
		Parse:       Parse,
	}
}

var schema = lazyregexp.New(`"schema_name"\s*:\s*"DoclingDocument"`)

func match(h *format.Head) int {
	if strings.HasPrefix(strings.TrimSpace(h.Text), "{") && schema.MatchString(h.Text) {
		return format.Certain
	}
	return 0
}

// Parse reads a DoclingDocument.
func Parse(_ context.Context, in *format.Input) (*doc.Document, error) {
	if in.Size > maxBytes {
		return nil, fault.Newf(fault.TooLarge, "The DoclingDocument has %d bytes, more than the limit of %d. Let docling refer to its pictures instead of embedding them.", in.Size, maxBytes)
	}
	text, err := io.ReadAll(in.Reader())
	if err != nil {
		return nil, err
	}
	p := &pictures{in: in}
	d, err := docling.Read(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), docling.Reading{
		Depth: in.Limits.Depth, Image: p.save,
		Link: func(target string) bool { _, safe := htmldoc.SafeLink(target); return safe },
	})
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return nil, f
	case err != nil:
		return nil, fault.New(fault.Corrupt, "", err)
	}
	d.Images = p.images
	if p.left > 0 {
		d.Warn("image_skipped", "Pictures that the document only refers to were left out.")
	}
	return d, nil
}

// pictures saves what is embedded.
type pictures struct {
	in     *format.Input
	images []doc.Image
	left   int // pictures that are not in the document
}

func (p *pictures) save(uri, mediaType string) (string, error) {
	head, data, ok := strings.Cut(uri, ";base64,")
	declared, isData := strings.CutPrefix(head, "data:")
	if !ok || !isData {
		p.left++
		return "", nil
	}
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(content) == 0 {
		p.left++
		return "", nil
	}
	if mediaType == "" {
		mediaType = declared
	}
	img, err := p.in.Files.Image(content, mediaType, "", "")
	if err != nil {
		return "", err
	}
	for i := range p.images {
		if p.images[i].ID == img.ID {
			return img.ID, nil
		}
	}
	p.images = append(p.images, img)
	return img.ID, nil
}
