package docling

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
)

// Reading is what Read needs to know.
type Reading struct {
	// Depth is how deep items may nest before they are flattened; at most 100.
	Depth int
	// Image takes a picture that is stored in the document, by its data: URI, and gives its id; "" leaves it out.
	Image func(uri, mediaType string) (string, error)
	// Link says whether a hyperlink is safe to follow.
	Link func(target string) bool
}

// ErrNotDocling means that the JSON is something else.
var ErrNotDocling = errors.New("the JSON is not a DoclingDocument")

// Read makes a document of a DoclingDocument, of any version that has its items in texts, tables, pictures and groups (1.0 and later).
func Read(text []byte, o Reading) (*doc.Document, error) {
	r := &reader{o: o, d: &doc.Document{}, seen: map[string]bool{}}
	if err := json.Unmarshal(text, &r.in); err != nil {
		return nil, err
	}
	if r.in.Schema != "DoclingDocument" || r.in.Body == nil {
		return nil, ErrNotDocling
	}
	r.o.Depth = min(max(1, o.Depth), maxDepth)
	r.pages()
	for _, t := range r.in.Texts {
		if t != nil && t.Label == "title" {
			r.below = 1
		}
	}
	r.captions()
	err := r.children(&r.d.Blocks, r.in.Body.Children, 0)
	if err == nil && r.in.Furniture != nil {
		err = r.children(&r.d.Furniture, r.in.Furniture.Children, 0)
	}
	if n := len(r.in.KeyValues) + len(r.in.Forms); n > 0 {
		r.d.Warn("unsupported_part", fmt.Sprintf("%d forms or key-value regions were not read beyond their text.", n))
	}
	return r.d, err
}

type reader struct {
	o     Reading
	in    document
	d     *doc.Document
	seen  map[string]bool // items that have been read, or belong to another one: each is read once, in whatever circle it stands
	area  int             // positions of all table cells so far
	below int             // 1 when there is a title above the section headers
}

// captions keeps what is a caption from being read as a text of its own.
func (r *reader) captions() {
	for _, t := range r.in.Tables {
		r.keep(t != nil, func() []ref { return t.Captions })
	}
	for _, p := range r.in.Pictures {
		r.keep(p != nil, func() []ref { return p.Captions })
	}
}

func (r *reader) keep(there bool, refs func() []ref) {
	if there {
		for _, c := range refs() {
			r.seen[c.Ref] = true
		}
	}
}

// children reads items in order, below the given depth, into blocks.
func (r *reader) children(into *[]doc.Block, refs []ref, depth int) error {
	for _, c := range refs {
		if r.seen[c.Ref] {
			continue
		}
		r.seen[c.Ref] = true
		if err := r.item(into, c.Ref, depth); err != nil {
			return err
		}
	}
	return nil
}

// item reads one item by its reference: "#/texts/12".
func (r *reader) item(into *[]doc.Block, name string, depth int) error {
	kind, number, _ := strings.Cut(strings.TrimPrefix(name, "#/"), "/")
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 {
		return nil
	}
	switch {
	case kind == "texts" && i < len(r.in.Texts) && r.in.Texts[i] != nil:
		return r.text(into, r.in.Texts[i], depth)
	case kind == "groups" && i < len(r.in.Groups) && r.in.Groups[i] != nil:
		return r.group(into, r.in.Groups[i], depth)
	case kind == "tables" && i < len(r.in.Tables) && r.in.Tables[i] != nil:
		return r.table(into, r.in.Tables[i], depth)
	case kind == "pictures" && i < len(r.in.Pictures) && r.in.Pictures[i] != nil:
		return r.picture(into, r.in.Pictures[i], depth)
	}
	return nil
}

// text reads a text and what is below it.
func (r *reader) text(into *[]doc.Block, t *text, depth int) error {
	b := doc.Block{Kind: doc.Paragraph, Inlines: r.inlines(t), Places: r.places(t.Prov)}
	target := into
	switch t.Label {
	case "title":
		b.Kind, b.Level = doc.Heading, 1
	case "section_header":
		b.Kind, b.Level = doc.Heading, max(1, t.Level)+r.below
	case "code":
		b = doc.Block{Kind: doc.Code, Text: t.Text, Places: b.Places}
		if l := strings.ToLower(t.Language); l != "unknown" {
			b.Language = l
		}
	case "formula":
		b = doc.Block{Kind: doc.Formula, Text: first(t.Text, t.Orig), Places: b.Places}
	case "list_item":
		return r.listItem(into, t, b, depth)
	case "page_header", "page_footer":
		target = &r.d.Furniture
	}
	if t.Layer == "furniture" {
		target = &r.d.Furniture
	}
	if b.Text != "" || len(b.Inlines) > 0 {
		*target = append(*target, b)
	}
	return r.children(into, t.Children, depth)
}

// listItem adds to the list that stands before it, or begins one.
func (r *reader) listItem(into *[]doc.Block, t *text, own doc.Block, depth int) error {
	ordered := t.Enumerated != nil && *t.Enumerated
	n := len(*into)
	if n == 0 || (*into)[n-1].Kind != doc.List || (*into)[n-1].Ordered != ordered {
		*into = append(*into, doc.Block{Kind: doc.List, Ordered: ordered})
		n++
	}
	item := doc.Block{Kind: doc.Item}
	if ordered {
		item.Number = strings.TrimSpace(t.Marker)
	}
	if len(own.Inlines) > 0 {
		item.Children = append(item.Children, own)
	}
	if err := r.nested(&item.Children, into, t.Children, depth); err != nil {
		return err
	}
	(*into)[n-1].Children = append((*into)[n-1].Children, item)
	return nil
}

// nested reads children into the item, or beside it where items nest too deeply.
func (r *reader) nested(item, beside *[]doc.Block, refs []ref, depth int) error {
	if depth >= r.o.Depth {
		return r.children(beside, refs, depth)
	}
	return r.children(item, refs, depth+1)
}

// groupRoles are the roles of groups that mean something; any other group is what is in it.
var groupRoles = map[string]string{
	"slide": doc.RoleSlide, "sheet": doc.RoleSheet, "chapter": doc.RoleChapter, "form_area": doc.RoleForm, "comment_section": doc.RoleNotes,
}

func (r *reader) group(into *[]doc.Block, g *group, depth int) error {
	role := groupRoles[g.Label]
	switch {
	case depth >= r.o.Depth:
		return r.children(into, g.Children, depth)
	case g.Label == "list" || g.Label == "ordered_list":
		var list []doc.Block
		if err := r.children(&list, g.Children, depth+1); err != nil {
			return err
		}
		*into = append(*into, list...)
	case g.Label == "inline":
		return r.line(into, g, depth)
	case role != "":
		b := doc.Block{Kind: doc.Group, Role: role}
		if g.Name != "group" {
			b.Label = g.Name
		}
		if err := r.children(&b.Children, g.Children, depth+1); err != nil {
			return err
		}
		*into = append(*into, b)
	default:
		return r.children(into, g.Children, depth+1)
	}
	return nil
}

// line makes one paragraph of the texts of an inline group. What is no text in it follows.
func (r *reader) line(into *[]doc.Block, g *group, depth int) error {
	var parts, rest []doc.Block
	if err := r.children(&parts, g.Children, depth+1); err != nil {
		return err
	}
	line := doc.Block{Kind: doc.Paragraph}
	for _, p := range parts {
		var add []doc.Inline
		switch p.Kind {
		case doc.Paragraph:
			add = p.Inlines
		case doc.Code:
			add = []doc.Inline{{Kind: doc.Text, Text: p.Text, Marks: doc.Monospace}}
		case doc.Formula:
			add = []doc.Inline{{Kind: doc.Math, Text: p.Text}}
		default:
			rest = append(rest, p)
			continue
		}
		if len(line.Inlines) > 0 {
			line.Inlines = append(line.Inlines, doc.T(" "))
		}
		line.Inlines = append(line.Inlines, add...)
		line.Places = append(line.Places, p.Places...)
	}
	if len(line.Inlines) > 0 {
		*into = append(*into, line)
	}
	*into = append(*into, rest...)
	return nil
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
