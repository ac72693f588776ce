package fb2

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/xmltree"
)

const maxImage = 128 << 20 // bytes of one picture in base64

// reader is the state of reading one book.
type reader struct {
	ctx    context.Context
	in     *format.Input
	doc    *doc.Document
	images map[string]string        // image id by binary id
	notes  map[string]*xmltree.Node // sections of the notes body by id
	order  []string                 // of the notes
	cover  string                   // id of the binary that is the cover
	given  map[string]string        // note id by section id
	depth  int
	top    int // level of the titles of the outermost sections
	found  bool
	damage xmltree.Damage
}

func newReader(ctx context.Context, in *format.Input) *reader {
	return &reader{ctx: ctx, in: in, doc: &doc.Document{Format: "fb2"}, images: map[string]string{}, notes: map[string]*xmltree.Node{}, given: map[string]string{}, top: 1}
}

// collect reads what the text refers to: pictures and notes.
func (r *reader) collect(s *xmltree.Scanner) error {
	for s.Next() {
		if s.Kind() != xmltree.Start {
			continue
		}
		switch s.Name() {
		case "FictionBook":
			r.found = true
		case "binary":
			if err := r.binary(s); err != nil {
				return err
			}
		case "body":
			if isNotes(s.Attr("name")) {
				r.collectNotes(s.Element())
			} else {
				s.Skip()
			}
		case "description":
			r.describe(s.Element())
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
	}
	if !r.found {
		return fault.New(fault.Corrupt, "The file is no FictionBook.", nil)
	}
	return nil
}

// collectNotes keeps the sections that may be notes: those that have no sections in them.
func (r *reader) collectNotes(n *xmltree.Node) {
	for _, section := range n.All("section") {
		if section.Child("section") != nil {
			r.collectNotes(section)
			continue
		}
		id := section.Attr("id")
		if id == "" || r.notes[id] != nil {
			id = "\x00" + strconv.Itoa(len(r.order)) // nothing leads there
		}
		r.notes[id] = section
		r.order = append(r.order, id)
	}
}

// uncited adds the notes that nothing in the text leads to: they would be lost otherwise.
func (r *reader) uncited() {
	for _, id := range r.order {
		if _, ok := r.given[id]; !ok {
			blocks := r.all(r.notes[id], r.top+1)
			for i := range blocks {
				if blocks[i].Kind == doc.Heading { // its number
					blocks[i].Kind, blocks[i].Level = doc.Paragraph, 0
				}
			}
			r.doc.Blocks = append(r.doc.Blocks, blocks...)
		}
	}
}

func isNotes(name string) bool { return name == "notes" || name == "comments" || name == "footnotes" }

// binary decodes a picture and saves it at once, so that one is in memory at a time.
func (r *reader) binary(s *xmltree.Scanner) error {
	id, mediaType := s.Attr("id"), s.Attr("content-type")
	depth := s.Depth()
	var text strings.Builder
	for s.Depth() >= depth && s.Next() {
		if s.Kind() == xmltree.Text && text.Len() < maxImage {
			for _, piece := range strings.Fields(string(s.Text())) {
				text.WriteString(piece)
			}
		}
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text.String(), "="))
	if len(data) == 0 {
		r.doc.Warn("image_skipped", "A picture is damaged and was left out: "+id+".")
		return nil
	}
	if err != nil {
		r.doc.Warn("repaired", "A picture's data are damaged; what could be decoded was kept: "+id+".")
	}
	img, err := r.in.Files.Image(data, mediaType, id, "")
	if err != nil {
		return err
	}
	r.images[id] = img.ID
	if r.doc.Image(img.ID) == nil {
		r.doc.Images = append(r.doc.Images, img)
	}
	return nil
}

// read reads the text.
func (r *reader) read(s *xmltree.Scanner) error {
	count := 0
	for s.Next() {
		if s.Kind() != xmltree.Start {
			continue
		}
		switch s.Name() {
		case "FictionBook":
		case "body":
			if isNotes(s.Attr("name")) {
				s.Skip()
			}
		case "description", "binary", "stylesheet":
			s.Skip()
		default: // a child of the body: one chapter is in memory at a time
			count++
			r.in.Progress(count, 0)
			if err := r.ctx.Err(); err != nil {
				return err
			}
			n := s.Element()
			r.doc.Blocks = append(r.doc.Blocks, r.block(n, r.top)...)
			if n.Name == "title" {
				r.top = 2 // sections stand below the book's title
			}
		}
	}
	return nil
}

func (r *reader) finish() (*doc.Document, error) {
	r.uncited()
	r.putCover()
	r.damage.Warn(r.doc, "")
	return r.doc, nil
}

// describe reads the metadata.
func (r *reader) describe(n *xmltree.Node) {
	m := &r.doc.Metadata
	info, publish := n.Child("title-info"), n.Child("publish-info")
	m.Title = words(info.Child("book-title"))
	for _, author := range info.All("author") {
		var parts []string
		for _, name := range []string{"first-name", "middle-name", "last-name"} {
			if text := words(author.Child(name)); text != "" {
				parts = append(parts, text)
			}
		}
		if len(parts) == 0 {
			parts = append(parts, words(author.Child("nickname")))
		}
		if name := strings.Join(parts, " "); name != "" {
			m.Authors = append(m.Authors, name)
		}
	}
	if m.Language = words(info.Child("lang")); m.Language != "" {
		m.Confidence = 1
	}
	date := info.Child("date")
	if m.Created = date.Attr("value"); m.Created == "" {
		m.Created = words(date)
	}
	for _, genre := range info.All("genre") {
		m.Keywords = append(m.Keywords, words(genre))
	}
	r.cover = strings.TrimPrefix(href(info.Child("coverpage", "image")), "#")
	m.Publisher = words(publish.Child("publisher"))
	m.Application = words(n.Child("document-info", "program-used"))
	if isbn := words(publish.Child("isbn")); isbn != "" {
		m.Identifiers = append(m.Identifiers, doc.Identifier{Scheme: "isbn", Value: isbn, Source: "publish-info"})
	}
	if sequence := info.Child("sequence"); sequence.Attr("name") != "" {
		m.Other = map[string]string{"series": strings.TrimSpace(sequence.Attr("name") + " " + sequence.Attr("number"))}
	}
	if annotation := info.Child("annotation"); annotation != nil {
		m.Subject = words(annotation)
	}
}

// putCover puts the cover first, unless the text shows it.
func (r *reader) putCover() {
	id := r.images[r.cover]
	if id == "" {
		return
	}
	shown := false
	doc.Walk(r.doc.Blocks, func(b *doc.Block) bool {
		shown = shown || b.Image == id
		for _, in := range b.Inlines {
			shown = shown || in.Image == id
		}
		return !shown
	})
	if !shown {
		r.doc.Blocks = slices.Insert(r.doc.Blocks, 0, doc.Block{Kind: doc.Figure, Image: id})
	}
}

func words(n *xmltree.Node) string { return strings.Join(strings.Fields(n.AllText()), " ") }

// note gives the id of the note in that section; the note is added at its first reference.
func (r *reader) note(section, label string) (id string, ok bool) {
	if id, ok := r.given[section]; ok {
		return id, true
	}
	node := r.notes[section]
	if node == nil {
		return "", false
	}
	id = strconv.Itoa(len(r.given) + 1)
	r.given[section] = id
	at := len(r.doc.Notes)
	r.doc.Notes = append(r.doc.Notes, doc.Note{ID: id, Kind: "footnote", Label: strings.Trim(label, "[]{}() ")})
	var blocks []doc.Block
	for _, c := range node.Children {
		if c.Name != "" && c.Name != "title" {
			blocks = append(blocks, r.block(c, 9)...)
		}
	}
	r.doc.Notes[at].Blocks = blocks
	return id, true
}
