package epub

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/htmldoc"
)

// maxSurvey is how many bytes of pages are read before the first one is converted, to see which places links lead to. In a larger
// book, links between files keep the file's name.
const maxSurvey = 32 << 20

// maxTrees is how many bytes of pages are kept as trees from the survey on.
const maxTrees = 2 << 20

// links knows where the links of a book lead: a place is "file#id", or "file#" for the start of a file.
type links struct {
	book    *book
	files   map[string]bool                        // of the spine
	places  []string                               // that links lead to, in order
	names   map[string]string                      // place → name in the document
	noteOf  map[string]string                      // place of a note → Note.ID
	notes   map[string]map[string]htmldoc.NoteName // by file and id
	order   map[string]int                         // of the notes
	aliases map[string]string
}

// survey reads the pages and finds what their links lead to.
func (r *reader) survey() error {
	l := &links{book: r.book, files: map[string]bool{}, names: map[string]string{}, noteOf: map[string]string{}, notes: map[string]map[string]htmldoc.NoteName{}, order: map[string]int{}, aliases: map[string]string{}}
	r.links = l
	size := int64(0)
	for _, p := range r.pages {
		if p.path != "" && !p.isPicture() {
			l.files[p.path] = true
			size += r.book.zip.Size(p.path)
		}
	}
	if size > maxSurvey {
		r.doc.Warn("structure_simplified", "The book is so large that links between its files were left as they are.")
		l.files = map[string]bool{}
		return nil
	}
	var found noteFinder
	for _, p := range r.pages {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if !l.files[p.path] {
			continue
		}
		switch err := r.load(p); {
		case isLimit(err):
			return err
		case err != nil:
			continue // told when it is its turn
		}
		l.visit(p, &found)
		if size > maxTrees {
			p.root = nil
		}
	}
	l.decide(&found)
	return nil
}

// noteFinder collects what may be notes.
type noteFinder struct {
	typed []string // places
	links []htmldoc.NoteLink
}

// visit notes the places that a page's links lead to, and what the page has of notes.
func (l *links) visit(p *page, found *noteFinder) {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" {
			if place := l.place(p.path, attribute(n, "href")); place != "" {
				l.places = append(l.places, place)
			}
		}
	}
	for _, id := range htmldoc.TypedNotes(p.root) {
		found.typed = append(found.typed, p.path+"#"+id)
	}
	for _, link := range htmldoc.NoteLinks(p.root) {
		link.Href = l.place(p.path, link.Href)
		for _, ids := range [][]string{link.IDs, link.Block} {
			for i := range ids {
				ids[i] = p.path + "#" + ids[i]
			}
		}
		if link.Href != "" {
			found.links = append(found.links, link)
		}
	}
}

// place is where a link leads to in the book, or "".
func (l *links) place(from, href string) string {
	file, id, _ := strings.Cut(href, "#")
	if href == "" || strings.Contains(file, ":") {
		return ""
	}
	if unescaped, err := url.PathUnescape(id); err == nil {
		id = unescaped
	}
	if file == "" {
		file = from
	} else if file = l.book.resolve(from, file); !l.files[file] {
		file, _ = l.book.zip.Find(file)
	}
	if !l.files[file] {
		return ""
	}
	return file + "#" + id
}

// decide gives names to the places that links lead to, and ids to the notes.
func (l *links) decide(found *noteFinder) {
	targeted := map[string]int{} // where it is linked first
	for i, place := range l.places {
		if targeted[place] == 0 {
			targeted[place] = i + 1
		}
	}
	var notes []htmldoc.NotePair
	seen := map[string]bool{}
	note := func(place, mark string) {
		if _, id, _ := strings.Cut(place, "#"); id != "" && !seen[place] {
			seen[place] = true
			notes = append(notes, htmldoc.NotePair{Target: place, Mark: mark})
		}
	}
	printed := htmldoc.Marks(found.links)
	for _, pair := range htmldoc.PairNotes(found.links) {
		note(pair.Target, pair.Mark)
	}
	for _, place := range found.typed {
		if targeted[place] > 0 {
			note(place, printed[place])
		}
	}
	slices.SortStableFunc(notes, func(a, b htmldoc.NotePair) int { return targeted[a.Target] - targeted[b.Target] })
	l.number(notes)
	taken := map[string]bool{}
	for _, place := range l.places {
		if l.names[place] == "" && l.noteOf[place] == "" {
			l.names[place] = unique(nameOf(place, taken), taken)
		}
	}
}

// number gives ids to notes: what is printed before them where that is different for each in the book, else they are counted.
func (l *links) number(notes []htmldoc.NotePair) {
	marks := map[string]bool{}
	for _, n := range notes {
		marks[n.Mark] = n.Mark != "" && n.Mark[0] >= '0' && n.Mark[0] <= '9'
		if !marks[n.Mark] {
			marks = nil
			break
		}
	}
	for i, n := range notes {
		id := n.Mark
		if len(marks) != len(notes) {
			id = strconv.Itoa(i + 1)
		}
		l.noteOf[n.Target] = id
		file, fragment, _ := strings.Cut(n.Target, "#")
		if l.notes[file] == nil {
			l.notes[file] = map[string]htmldoc.NoteName{}
		}
		l.notes[file][fragment] = htmldoc.NoteName{ID: id, Mark: n.Mark}
		l.order[id] = i
	}
}

// nameOf is the name that a place gets in the document: its id, with the file's name where another file has the same id.
func nameOf(place string, taken map[string]bool) string {
	file, id, _ := strings.Cut(place, "#")
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	id = strings.Join(strings.Fields(id), "-")
	switch {
	case id == "":
		return strings.Join(strings.Fields(stem), "-")
	case taken[id]:
		return stem + "-" + id
	}
	return id
}

func unique(name string, taken map[string]bool) string {
	one := name
	for n := 2; taken[one]; n++ {
		one = name + "-" + strconv.Itoa(n)
	}
	taken[one] = true
	return one
}

// options lets a page's links lead to the names, and its elements have them.
func (l *links) options(o *htmldoc.Options, file string) {
	if len(l.files) == 0 {
		return
	}
	o.Notes = l.notes[file]
	if o.Notes == nil {
		o.Notes = map[string]htmldoc.NoteName{}
	}
	o.NoteOf = func(href string) (string, bool) {
		id, ok := l.noteOf[l.place(file, href)]
		return id, ok
	}
	o.Anchor = func(id string) string { return l.names[file+"#"+id] }
	o.Alias = func(name, of string) { l.aliases[name] = of }
	o.Link = func(href string) string {
		if name := l.names[l.place(file, href)]; name != "" {
			return "#" + name
		}
		return href
	}
}

// start names the first block of a file after it, for links that lead to the file.
func (l *links) start(file string, blocks []doc.Block) {
	name := l.names[file+"#"]
	if name == "" {
		return
	}
	target := &blocks[0]
	found := false
	doc.Walk(blocks, func(b *doc.Block) bool {
		if !found && (b.Kind == doc.Heading || b.Kind == doc.Paragraph) {
			target, found = b, true
		}
		return !found && b.Table == nil
	})
	if target.Anchor == "" {
		target.Anchor = name
	} else {
		l.aliases[name] = target.Anchor
	}
}

// settle lets links lead to the names that blocks have in the end, and takes back references to notes that there are not.
func (l *links) settle(d *doc.Document) {
	there := map[string]bool{}
	for i := range d.Notes {
		there[d.Notes[i].ID] = true
	}
	noteless := func(blocks []doc.Block) {
		doc.Walk(blocks, func(b *doc.Block) bool {
			for i := range b.Inlines {
				if in := &b.Inlines[i]; in.Kind == doc.NoteReference && !there[in.Note] {
					*in = doc.Inline{Kind: doc.Text, Text: in.Note, Marks: doc.Superscript}
				}
			}
			return true
		})
	}
	slices.SortStableFunc(d.Notes, func(a, b doc.Note) int { return l.order[a.ID] - l.order[b.ID] })
	noteless(d.Blocks)
	htmldoc.Redirect(d.Blocks, l.aliases)
	htmldoc.Redirect(d.Furniture, l.aliases)
	for i := range d.Notes {
		noteless(d.Notes[i].Blocks)
		htmldoc.Redirect(d.Notes[i].Blocks, l.aliases)
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}
