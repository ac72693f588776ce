package epub

import (
	"context"
	"errors"
	"fmt"
	"net/http" //nolint:depguard // for DetectContentType only; it opens no connection
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
)

// reader makes the files of a book the chapters of a document.
type reader struct {
	ctx    context.Context
	in     *format.Input
	book   *book
	doc    *doc.Document
	toc    []entry
	pages  []*page // the spine, each file once
	links  *links
	sheets map[string]htmldoc.Styles // by file
}

// page is one file of the spine. What a survey of the whole book has read of it is kept until its turn.
type page struct {
	item
	number    int
	text      string
	root      *html.Node
	flattened bool
}

// chapters reads the spine.
func (r *reader) chapters() error {
	spine := r.book.spine()
	if len(spine) == 0 {
		return fault.New(fault.Corrupt, "The book lists nothing to read.", nil)
	}
	seen := map[string]bool{}
	for i, one := range spine {
		if one.path == "" || !seen[one.path] {
			seen[one.path] = true
			r.pages = append(r.pages, &page{item: one, number: i + 1})
		}
	}
	if err := r.survey(); err != nil {
		return err
	}
	read := 0
	for i, p := range r.pages {
		r.in.Progress(i+1, len(r.pages))
		if err := r.ctx.Err(); err != nil {
			return err
		}
		ok, err := r.chapter(p)
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
	r.links.settle(r.doc)
	return r.cover()
}

// chapter reads one file and tells whether it was there. Only an exhausted limit ends the book.
func (r *reader) chapter(p *page) (bool, error) {
	place := doc.Place{Part: p.path}
	if p.path == "" || !r.book.zip.Has(p.path) {
		r.doc.Warn("missing_part", "A chapter that the book lists is not in the file: "+first(p.path, p.id)+".", place)
		return false, nil
	}
	if p.isPicture() {
		return true, r.picture(p.item, place)
	}
	switch err := r.load(p); {
	case isLimit(err):
		return false, err
	case err != nil:
		r.doc.Warn("missing_part", "A chapter could not be read: "+p.path+".", place)
		return false, nil
	}
	blocks, err := r.convert(p, place)
	p.text, p.root = "", nil
	if err != nil {
		return false, err
	}
	r.add(blocks, p.item, place)
	return true, nil
}

// isLimit tells the errors that end the whole book.
func isLimit(err error) bool {
	kind := fault.KindOf(err)
	return err != nil && (kind == fault.LimitOutput || kind == fault.LimitRatio)
}

func (p *page) isPicture() bool {
	return strings.HasPrefix(p.mediaType, "image/") && p.mediaType != "image/svg+xml"
}

// load reads and parses a page, unless that has been done.
func (r *reader) load(p *page) error {
	if p.text == "" {
		data, err := r.book.read(p.path, maxChapter)
		if err != nil {
			return err
		}
		text := string(data)
		p.text = charset.Decode(text, htmldoc.Declared(text)...).String
		if isXML(p.text) {
			p.text = closeEmpty(p.text)
		}
	}
	if p.root == nil {
		p.root, p.flattened = htmldoc.Tree(p.text)
	}
	return nil
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
func (r *reader) convert(p *page, place doc.Place) ([]doc.Block, error) {
	before := r.doc.Blocks
	r.doc.Blocks = nil
	defer func() { r.doc.Blocks = before }()
	if p.flattened {
		r.doc.Warn("nesting_flattened", "Elements were nested more deeply than can be followed; their text was kept.", place)
	}
	r.headings(p)
	o := htmldoc.Options{
		Files: r.in.Files, Place: place, Hidden: r.in.Options.Hidden, NotePrefix: fmt.Sprintf("c%d-", p.number),
		Resource: func(reference string) ([]byte, string) { return r.resource(p.path, reference) },
	}
	o.Styles = func(href string) htmldoc.Styles { return r.styles(p.path, href) }
	r.links.options(&o, p.path)
	err := htmldoc.ConvertTree(r.ctx, r.doc, p.root, p.text, o)
	return r.doc.Blocks, err
}

// add puts a chapter's blocks into the document. The navigation, where the spine shows it, is a table of contents.
func (r *reader) add(blocks []doc.Block, one item, place doc.Place) {
	if len(blocks) == 0 {
		return
	}
	r.links.start(one.path, blocks)
	isNav := strings.Contains(one.properties, " nav ")
	if isNav && one.beside { // for the program that shows the book, not for its reader
		if r.in.Options.Furniture != "keep" {
			r.doc.Warn("furniture_dropped", "The navigation, which is no page of the book, is in document.json only.", place)
		}
		r.doc.Furniture = append(r.doc.Furniture, doc.Block{Kind: doc.TOC, Children: blocks, Places: []doc.Place{place}})
		return
	}
	if isNav {
		r.doc.Blocks = append(r.doc.Blocks, doc.Block{Kind: doc.TOC, Children: blocks, Places: []doc.Place{place}})
		return
	}
	r.doc.Blocks = append(r.doc.Blocks, doc.Block{Kind: doc.Group, Role: doc.RoleChapter, Label: r.label(one.path), Children: blocks, Places: []doc.Place{place}})
}

// maxSheet is how many bytes a style sheet may have.
const maxSheet = 4 << 20

// styles gives a style sheet of the book; each is read once.
func (r *reader) styles(from, href string) htmldoc.Styles {
	name := r.book.resolve(from, href)
	styles, ok := r.sheets[name]
	if !ok {
		if data, err := r.book.read(name, maxSheet); err == nil {
			styles = htmldoc.ParseStyles(string(data))
		}
		r.sheets[name] = styles
	}
	return styles
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
	figure, err := r.figure(one, place)
	if figure != nil {
		r.doc.Blocks = append(r.doc.Blocks, *figure)
	}
	return err
}

// figure keeps a picture of the book; nil when it cannot be read.
func (r *reader) figure(one item, place doc.Place) (*doc.Block, error) {
	data, err := r.book.read(one.path, maxImage)
	if err != nil {
		r.doc.Warn("image_skipped", "A picture could not be read and was left out: "+one.path+".", place)
		return nil, nil
	}
	img, err := r.in.Files.Image(data, one.mediaType, one.path, "")
	var f *fault.Error
	if errors.As(err, &f) {
		return nil, f
	}
	if err != nil {
		return nil, err
	}
	if r.doc.Image(img.ID) == nil {
		r.doc.Images = append(r.doc.Images, img)
	}
	return &doc.Block{Kind: doc.Figure, Image: img.ID, Places: []doc.Place{place}}, nil
}
