package htmldoc

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
)

// Options are what differs between the formats that have HTML inside.
type Options struct {
	Base  string       // address that relative links are resolved against; a <base> element comes first; empty leaves them
	Main  bool         // keep the main content only
	Files format.Files // where pictures go; nil keeps references only
	Place doc.Place    // set on every block beside its lines: a mail part, a chapter
	Lines bool         // note the source lines of blocks
	// FirstLine is added to line numbers: how many lines of the source stand before this part of it.
	FirstLine int
	// DataTables is set when nobody lays out pages with tables there: all tables are data unless they say otherwise.
	DataTables bool
	// Hidden is "include" to keep hidden elements in their place; else they go to Document.Hidden.
	Hidden string
	// Resource gives the bytes and media type of a picture that the page refers to, or nil: a mail's cid:, a member of a package.
	Resource func(reference string) (data []byte, mediaType string)
	// Frame gives the page that a frame shows, when it is at hand.
	Frame func(reference string) (text string, ok bool)
	// Link may rewrite a link's target before it is checked; "" drops the target.
	Link func(href string) string
	// Metadata makes Convert fill Document.Metadata from head and html elements.
	Metadata bool
	// Notes gives the notes in this page by the names that links reach them by, and NoteOf the Note.ID that a link stands
	// for, when a document is made of several pages; without them, the page's own links are looked at.
	Notes  map[string]NoteName
	NoteOf func(href string) (id string, ok bool)
	// Anchor gives the name under which links of the whole document reach an element with that id, or ""; without it, the links of the
	// page are looked at. Alias is told of the further names of a block that has one already.
	Anchor func(id string) string
	Alias  func(name, of string)
	// Styles gives the style sheet that a page names, or nil; those inside the page are read anyway.
	Styles func(href string) Styles
	// NotePrefix makes note ids unique when one document is made of several pages.
	NotePrefix string
}

// NoteName is how a note is called: its Note.ID, and what is printed at the reference.
type NoteName struct{ ID, Mark string }

// Convert parses text and appends its content to d.
func Convert(ctx context.Context, d *doc.Document, text string, o Options) error {
	root, flattened := Tree(text)
	if flattened {
		d.Warn("nesting_flattened", flattenedWords)
	}
	return ConvertTree(ctx, d, root, text, o)
}

const flattenedWords = "Elements were nested more deeply than can be followed; the innermost containers were left out, their content was kept."

// ConvertTree appends the content of a tree to d. Source is the text that the tree was parsed from; it serves line numbers only.
func ConvertTree(ctx context.Context, d *doc.Document, root *html.Node, source string, o Options) error {
	return newBuilder(ctx, d, root, source, o).convert(root)
}

// convert appends what is below root to the document.
func (b *builder) convert(root *html.Node) error {
	if b.o.Metadata {
		readMetadata(b.d, root)
	}
	before := len(b.d.Notes)
	top := flow{b: b}
	for _, n := range b.roots(root) {
		top.node(n, look{})
	}
	top.flush()
	if err := b.ctx.Err(); err != nil {
		return err
	}
	b.d.Blocks = append(b.d.Blocks, b.placed(top.blocks)...)
	b.resolveAliases(top.blocks, before)
	return nil
}

// builder holds what is known of the whole page while it is walked.
type builder struct {
	ctx       context.Context
	d         *doc.Document
	o         Options
	base      *url.URL
	targets   map[string]bool         // fragments that links of this page point to
	notes     map[string]NoteName     // by fragment of a note's text
	noteNodes map[*html.Node]NoteName // by element with the note
	hasNode   map[string]bool         // Note.IDs whose element was found
	styles    []Styles
	aliases   map[string]string // name → name that its block has
	lines     *tracker
	ruled     bool // a style sheet draws lines around cells
	quiet     int  // inside hidden content
	blocks    map[string]handler
	inlines   map[string]handler
	steps     int
}

func newBuilder(ctx context.Context, d *doc.Document, root *html.Node, source string, o Options) *builder {
	b := &builder{ctx: ctx, d: d, o: o, targets: map[string]bool{}, notes: map[string]NoteName{}, noteNodes: map[*html.Node]NoteName{}, hasNode: map[string]bool{}, aliases: map[string]string{}, blocks: blockTable(), inlines: inlineTable()}
	if o.Lines {
		b.lines = newTracker(source, o.FirstLine)
	}
	b.base, _ = url.Parse(o.Base)
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "base" && attr(n, "href") != "":
			if base, err := url.Parse(attr(n, "href")); err == nil && base.IsAbs() {
				b.base = base
			}
		case n.Data == "style":
			b.ruled = b.ruled || ruledCells.MatchString(contentOf(n))
			b.readStyles(n)
		case n.Data == "link":
			b.readStyles(n)
		case n.Data == "a":
			if href := attr(n, "href"); len(href) > 1 && href[0] == '#' {
				b.targets[unescaped(href[1:])] = true
			}
		}
	}
	b.findNotes(root)
	return b
}

// stopped looks at the context now and then.
func (b *builder) stopped() bool {
	b.steps++
	return b.steps%1024 == 0 && b.ctx.Err() != nil
}
