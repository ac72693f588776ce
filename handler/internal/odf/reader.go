package odf

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/xmltree"
)

// Reader turns the content of an OpenDocument file into blocks of a document.
type Reader struct {
	// Math turns a formula object's MathML into LaTeX; without it a formula is its text.
	Math func(mathML []byte) string
	// Page is counted up at soft page breaks; a parser may set it: every block's place says it, unless it is 0.
	Page int
	// PlainItems makes paragraphs of list items that have neither number nor bullet: on slides every text is a list.
	PlainItems bool

	ctx     context.Context
	in      *format.Input
	pkg     *Package
	doc     *doc.Document
	styles  *styles
	lists   *counters
	changes *changes
	notes   map[string]int    // how many of each kind
	images  map[string]string // image id by part
	saved   map[string]bool   // image ids in the document
	anchors map[string]bool   // bookmarks that links lead to
	ranges  []*commentRange   // open comment ranges
	depth   int               // of stories in stories
	titles  int               // paragraphs in the style Title
	objects int               // of objects in objects
}

// maxStories bounds tables in frames in tables: beyond it text is kept, structure is not.
const maxStories = 100

// NewReader reads the metadata and the common styles.
func NewReader(ctx context.Context, in *format.Input, p *Package, d *doc.Document) *Reader {
	r := &Reader{
		ctx: ctx, in: in, pkg: p, doc: d, styles: newStyles(), lists: newCounters(),
		notes: map[string]int{}, images: map[string]string{}, saved: map[string]bool{}, anchors: map[string]bool{},
	}
	r.changes = &changes{view: in.Options.Revisions, byID: map[string]*change{}}
	for _, note := range p.Notes() {
		d.Warn("repaired", note)
	}
	d.Metadata.Encrypted = p.WasEncrypted()
	if !p.IsFlat() {
		r.readMeta()
		r.readStyles()
	}
	return r
}

func (r *Reader) readMeta() {
	if root, err := r.pkg.Tree("meta.xml"); err == nil && root != nil {
		readMetadata(root.Child("office:meta"), &r.doc.Metadata)
	}
}

func (r *Reader) readStyles() {
	root, err := r.pkg.Tree("styles.xml")
	if err != nil || root == nil {
		return
	}
	for _, c := range root.Children {
		r.common(c)
	}
}

// common takes in what stands beside the body: styles, fonts, metadata, headers and footers.
func (r *Reader) common(n *xmltree.Node) {
	switch n.Name {
	case "office:styles", "office:automatic-styles", "office:font-face-decls", "office:font-decls":
		r.styles.add(n)
	case "office:master-styles":
		r.furniture(n)
	case "office:meta":
		readMetadata(n, &r.doc.Metadata)
	}
}

// Style gives a style by its family ("paragraph", "text", "graphic" ...) and name, or nil.
func (r *Reader) Style(family, name string) *Style { return r.styles.get(family, name) }

// Stream reads content.xml: styles are taken in, and handle gets the child elements of the body of that name
// ("office:text", "office:presentation", "office:spreadsheet"), one at a time.
func (r *Reader) Stream(body string, handle func(*xmltree.Node)) error {
	s, err := r.pkg.Scan("content.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Corrupt, "The document's content is missing from the file.", err)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	inBody, root, count := 0, "", 0
	for s.Next() {
		switch {
		case s.Kind() == xmltree.End && s.Depth() < inBody:
			inBody = 0
		case s.Kind() != xmltree.Start:
		case inBody > 0:
			handle(s.Element())
			if count++; count%64 == 0 {
				r.in.Progress(max(1, r.Page), 0)
				if err := r.ctx.Err(); err != nil {
					return err
				}
			}
		case s.Name() == body || s.Name() == "office:body" && body == "":
			inBody, root = s.Depth(), body
		case strings.HasPrefix(s.Name(), "office:document"), s.Name() == "office:body":
			// In OpenOffice.org 1.0 the body holds the content itself.
			if root == "" && s.Name() == "office:body" && s.Attr("office:version") == "" && r.pkg.MediaType("/") != "" && strings.Contains(r.pkg.MediaType("/"), "sun.xml") {
				inBody, root = s.Depth(), body
			}
		default:
			r.common(s.Element())
		}
	}
	if err := s.Err(); err != nil {
		return err
	}
	if root == "" {
		return fault.New(fault.Corrupt, "The file has no OpenDocument content of the expected kind in it.", nil)
	}
	if r.pkg.CutOff() && s.Damage().Truncated {
		return fault.New(fault.Corrupt, "The file was cut off in the middle of its text. Upload it again, whole.", nil)
	}
	s.Damage().Warn(r.doc, "content.xml")
	return nil
}

// Finish puts what was collected into the document.
func (r *Reader) Finish() {
	r.changes.finish(r.doc)
	for _, a := range r.doc.Annotations {
		if a.Kind == "comment" && r.in.Options.Comments != "include" {
			r.doc.Warn("comments_left_out", "The document has comments; they are in document.json only.")
			break
		}
	}
	keep := func(b *doc.Block) bool {
		if b.Anchor != "" && !r.anchors[b.Anchor] {
			b.Anchor = ""
		}
		return true
	}
	doc.Walk(r.doc.Blocks, keep)
	r.shiftBelowTitle()
	if r.Page > 1 && r.doc.Pages == nil {
		for n := 1; n <= r.Page; n++ {
			r.doc.Pages = append(r.doc.Pages, doc.Page{Number: n, Kind: "page"})
		}
	}
}

// shiftBelowTitle makes a document's one title the only heading of level 1.
func (r *Reader) shiftBelowTitle() {
	if r.titles != 1 {
		return
	}
	title, first := false, true
	doc.Walk(r.doc.Blocks, func(b *doc.Block) bool {
		if b.Kind == doc.Heading {
			if first {
				title = b.Role == roleTitle
			} else if title {
				b.Level++
			}
			first = false
			b.Role = ""
		}
		return true
	})
}

// roleTitle marks the block of the style Title until Finish.
const roleTitle = "title"

// furniture reads the headers and footers of the master pages.
func (r *Reader) furniture(masters *xmltree.Node) {
	seen := map[string]bool{}
	masters.Walk(func(n *xmltree.Node) bool {
		switch n.Name {
		case "style:header", "style:footer", "style:header-left", "style:footer-left", "style:header-first", "style:footer-first":
			if text := n.AllText(); strings.TrimSpace(text) != "" && !seen[text] && n.Attr("style:display") != "false" {
				seen[text] = true
				r.doc.Furniture = append(r.doc.Furniture, r.Blocks(n)...)
			}
			return false
		}
		return n.Name == "style:master-page"
	})
	if len(r.doc.Furniture) > 0 && r.in.Options.Furniture != "keep" {
		r.doc.Warn("furniture_dropped", "Headers and footers are in document.json only.")
	}
}
