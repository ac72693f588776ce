package htmldoc

import (
	"context"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
)

// partSize is about how many bytes of a page are made into a tree at once by ConvertParts.
const partSize = 1 << 20

// ConvertParts is Convert for a page that is too large for one tree. The page is cut between blocks, the elements that are open there
// are opened again, and each part is handed on with the headings that it stands under. Options.Main is not heeded: what is the
// main content shows in the whole page only. A link to a heading of another part keeps the page's own name for it.
func ConvertParts(ctx context.Context, d *doc.Document, text string, o Options, hand func(*doc.Document, format.Part) error) error {
	return convertParts(ctx, d, text, o, partSize, hand)
}

func convertParts(ctx context.Context, d *doc.Document, text string, o Options, size int, hand func(*doc.Document, format.Part) error) error {
	o.Main = false
	targets := map[string]bool{}
	for _, m := range fragmentLink.FindAllStringSubmatch(text, -1) {
		targets[m[1]] = true
	}
	var above []doc.Block
	for part := range parts(text, size) {
		source := part.reopened + part.text
		root, flattened := Tree(source)
		if flattened {
			d.Warn("nesting_flattened", flattenedWords)
		}
		b := newBuilder(ctx, d, root, source, o)
		b.targets = targets
		if err := b.convert(root); err != nil {
			return err
		}
		if part.last {
			break
		}
		o.Metadata, o.FirstLine = false, o.FirstLine+strings.Count(part.text, "\n")
		if b.base != nil {
			o.Base = b.base.String()
		}
		blocks := d.Blocks
		d.Blocks = nil
		repeated := slices.Clone(above)
		above = headingsAfter(above, blocks)
		if err := hand(d, format.Part{Blocks: append(repeated, blocks...), Above: len(repeated)}); err != nil {
			return err
		}
	}
	d.Blocks = append(slices.Clone(above), d.Blocks...)
	return hand(d, format.Part{Blocks: take(&d.Blocks), Above: len(above)})
}

func take(blocks *[]doc.Block) []doc.Block {
	taken := *blocks
	*blocks = nil
	return taken
}

var fragmentLink = lazyregexp.New(`(?i)href\s*=\s*["']?#([^"'\s>]+)`)

// headingsAfter are the headings that what comes behind the blocks stands under.
func headingsAfter(above, blocks []doc.Block) []doc.Block {
	for i := range blocks {
		h := &blocks[i]
		if h.Kind != doc.Heading {
			continue
		}
		for len(above) > 0 && above[len(above)-1].Level >= h.Level {
			above = above[:len(above)-1]
		}
		above = append(slices.Clip(above), doc.Block{Kind: doc.Heading, Level: h.Level, Number: h.Number, Inlines: h.Inlines})
	}
	return above
}

// part is a stretch of a page.
type part struct {
	reopened string // start tags of the elements that are open where it begins
	text     string
	last     bool
}

// parts cuts a page between blocks, into parts of about a size in bytes.
func parts(text string, size int) iter.Seq[part] {
	return func(yield func(part) bool) {
		z := html.NewTokenizer(strings.NewReader(text))
		c := cutter{text: text, size: size}
		from, at, reopened := 0, 0, ""
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				yield(part{reopened, text[from:], true})
				return
			}
			start := at
			at += len(z.Raw())
			if kind != html.StartTagToken && kind != html.EndTagToken {
				continue
			}
			raw, _ := z.TagName()
			name := string(raw)
			if kind == html.EndTagToken {
				c.end(name, at)
				continue
			}
			if c.mayCut(name, start-from) {
				if !yield(part{reopened, text[from:start], false}) {
					return
				}
				from, reopened = start, c.reopen()
			}
			c.start(name, start, at)
		}
	}
}

// cutter knows which elements are open.
type cutter struct {
	text string
	size int // of a part
	open []openTag
}

// openTag is an element that has not ended.
type openTag struct {
	name       string
	start, end int    // of its start tag
	head       string // of a table: its thead
}

// beginners are elements that a part may begin with, however they end what is before them.
var beginners = set("h1 h2 h3 h4 h5 h6 p div section article table ul ol dl pre blockquote hr form aside header footer address")

// whole are containers that are not cut: they are one thing.
var whole = set("details noscript figure picture label object")

func isThrough(name string) bool {
	return name == "html" || name == "body" || containers[name] && !whole[name]
}

// mayCut tells whether a part of that size may end before a start tag: where only containers are open that can be opened again
// without a difference, and, when it has become long, between the items of a list and the rows of a table.
func (c *cutter) mayCut(name string, size int) bool {
	if size < c.size {
		return false
	}
	n := 0
	for n < len(c.open) && isThrough(c.open[n].name) {
		n++
	}
	var inside []string
	for _, tag := range c.open[n:] {
		inside = append(inside, tag.name)
	}
	switch strings.Join(inside, " ") {
	case "":
		return beginners[name]
	case "ul", "ol":
		return name == "li" && size > 4*c.size
	case "table", "table tbody":
		return name == "tr" && size > 4*c.size
	}
	return false
}

// start notes an element. Those whose end tags are usually left out end by themselves before whatever a part may begin with.
func (c *cutter) start(name string, from, to int) {
	if selfClosing[name] && name != "html" && name != "body" && name != "tbody" && name != "thead" {
		return
	}
	const most = 10_000
	if len(c.open) < most {
		c.open = append(c.open, openTag{name: name, start: from, end: to})
	}
}

// end takes an element off that ended before at, and what is open in it. A table keeps its head.
func (c *cutter) end(name string, at int) {
	const window = 64
	for i := len(c.open) - 1; i >= max(0, len(c.open)-window); i-- {
		if c.open[i].name != name {
			continue
		}
		if name == "thead" && i > 0 && c.open[i-1].name == "table" && at-c.open[i].start < 64<<10 {
			c.open[i-1].head = c.text[c.open[i].start:at]
		}
		c.open = c.open[:i]
		return
	}
}

// reopen writes the start tags of what is open, and the head of a table.
func (c *cutter) reopen() string {
	var b strings.Builder
	for _, tag := range c.open {
		b.WriteString(c.text[tag.start:tag.end])
		b.WriteString(tag.head)
	}
	return strings.ReplaceAll(b.String(), "\n", " ") // lines are counted in the part only
}
