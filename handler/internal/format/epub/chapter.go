package epub

import (
	"context"
	"errors"
	"fmt"
	"net/http" //nolint:depguard // for DetectContentType only; it opens no connection
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
)

// reader makes the files of a book the chapters of a document.
type reader struct {
	ctx    context.Context
	in     *format.Input
	book   *book
	doc    *doc.Document
	labels map[string]string
	seen   map[string]bool
}

// chapters reads the spine.
func (r *reader) chapters() error {
	r.seen = map[string]bool{}
	spine := r.book.spine()
	if len(spine) == 0 {
		return fault.New(fault.Corrupt, "The book lists nothing to read.", nil)
	}
	read := 0
	for i, one := range spine {
		r.in.Progress(i+1, len(spine))
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if r.seen[one.path] {
			continue
		}
		r.seen[one.path] = true
		ok, err := r.chapter(i+1, one)
		if err != nil {
			return err
		}
		if ok {
			read++
		}
	}
	if read == 0 {
		return fault.New(fault.Corrupt, "None of the book's chapters is in the file.", nil)
	}
	return nil
}

// chapter reads one file and tells whether it was there. Only an exhausted limit ends the book.
func (r *reader) chapter(number int, one item) (bool, error) {
	place := doc.Place{Part: one.path}
	if one.path == "" || !r.book.zip.Has(one.path) {
		r.doc.Warn("missing_part", "A chapter that the book lists is not in the file: "+first(one.path, one.id)+".", place)
		return false, nil
	}
	if strings.HasPrefix(one.mediaType, "image/") && one.mediaType != "image/svg+xml" {
		return true, r.picture(one, place)
	}
	data, err := r.book.read(one.path, maxChapter)
	switch kind := fault.KindOf(err); {
	case kind == fault.LimitOutput || kind == fault.LimitRatio:
		return false, err
	case err != nil:
		r.doc.Warn("missing_part", "A chapter could not be read: "+one.path+".", place)
		return false, nil
	}
	text := string(data)
	page := charset.Decode(text, htmldoc.Declared(text)...).String
	if isXML(page) {
		page = closeEmpty(page)
	}
	blocks, err := r.convert(page, number, one, place)
	if err != nil {
		return false, err
	}
	r.add(blocks, one, place)
	return true, nil
}

func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

// convert reads a page into blocks, leaving the document's own blocks alone.
func (r *reader) convert(page string, number int, one item, place doc.Place) ([]doc.Block, error) {
	before := r.doc.Blocks
	r.doc.Blocks = nil
	defer func() { r.doc.Blocks = before }()
	root, flattened := htmldoc.Tree(page)
	if flattened {
		r.doc.Warn("nesting_flattened", "Elements were nested more deeply than can be followed; their text was kept.", place)
	}
	err := htmldoc.ConvertTree(r.ctx, r.doc, root, page, htmldoc.Options{
		Files: r.in.Files, Place: place, Hidden: r.in.Options.Hidden, NotePrefix: fmt.Sprintf("c%d-", number),
		Resource: func(reference string) ([]byte, string) { return r.resource(one.path, reference) },
	})
	return r.doc.Blocks, err
}

// add puts a chapter's blocks into the document. The navigation, where the spine shows it, is a table of contents.
func (r *reader) add(blocks []doc.Block, one item, place doc.Place) {
	if len(blocks) == 0 {
		return
	}
	if strings.Contains(one.properties, " nav ") {
		r.doc.Blocks = append(r.doc.Blocks, doc.Block{Kind: doc.TOC, Children: blocks, Places: []doc.Place{place}})
		return
	}
	r.doc.Blocks = append(r.doc.Blocks, doc.Block{Kind: doc.Group, Role: doc.RoleChapter, Label: r.labels[one.path], Children: blocks, Places: []doc.Place{place}})
}

// resource gives a picture of the book.
func (r *reader) resource(from, reference string) ([]byte, string) {
	if strings.Contains(reference, "://") {
		return nil, ""
	}
	name := r.book.resolve(from, reference)
	data, err := r.book.read(name, maxImage)
	if err != nil {
		return nil, ""
	}
	return data, first(r.book.types[name], mediaType(data))
}

func mediaType(data []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	return kind
}

// picture adds a picture that stands in the spine by itself.
func (r *reader) picture(one item, place doc.Place) error {
	data, err := r.book.read(one.path, maxImage)
	if err != nil {
		r.doc.Warn("image_skipped", "A picture could not be read and was left out: "+one.path+".", place)
		return nil
	}
	img, err := r.in.Files.Image(data, one.mediaType, one.path, "")
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	if err != nil {
		return err
	}
	if r.doc.Image(img.ID) == nil {
		r.doc.Images = append(r.doc.Images, img)
	}
	r.doc.Blocks = append(r.doc.Blocks, doc.Block{Kind: doc.Figure, Image: img.ID, Places: []doc.Place{place}})
	return nil
}

func isXML(page string) bool {
	head := page[:min(len(page), 1024)]
	return strings.Contains(head, "<?xml") || strings.Contains(head, "http://www.w3.org/1999/xhtml")
}

var emptyElement = lazyregexp.New(`<([A-Za-z][A-Za-z0-9:-]*)((?:\s+[^<>"'/=\s]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*/>`)

// void are the elements that HTML knows to be empty; the slash of any other one is ignored by it, which would make
// <title/> or <a id="x"/> swallow what follows.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true, "meta": true,
	"param": true, "source": true, "track": true, "wbr": true, "image": true, "path": true, "rect": true, "circle": true, "line": true, "use": true}

// closeEmpty writes empty elements as XHTML has them in the way that HTML understands.
func closeEmpty(page string) string {
	return emptyElement.ReplaceAllStringFunc(page, func(tag string) string {
		match := emptyElement.FindStringSubmatch(tag)
		if void[strings.ToLower(match[1])] {
			return tag
		}
		return "<" + match[1] + match[2] + "></" + match[1] + ">"
	})
}
