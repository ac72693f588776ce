package xmlfmt

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
)

// Bounds of an XML tree.
const (
	maxOpen  = format.DefaultDepth // elements in elements; deeper ones are left out, their content stays
	maxBuilt = 400                 // of the tree that is built: what is below is put beside
)

// parseTree reads one document. Element names are local names in lower case, attributes too, MathML keeps its names.
// What was read before an error is given with it.
func parseTree(ctx context.Context, d *doc.Document, text string) (*html.Node, error) {
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.Strict = false
	decoder.AutoClose = nil
	decoder.Entity = entities(d, text)
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	b := treeBuilder{d: d}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return b.root, ctx.Err()
		}
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return b.root, nil
		}
		if err != nil {
			return b.root, err
		}
		if err := b.add(token); err != nil {
			return b.root, err
		}
	}
}

// treeBuilder builds a tree of tokens.
type treeBuilder struct {
	d     *doc.Document
	root  *html.Node
	open  *html.Node
	built int // open elements in the tree
	extra int // open elements that were left out for depth
}

func (b *treeBuilder) add(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if b.built >= maxBuilt {
			if b.extra++; b.extra > maxOpen {
				return fmt.Errorf("more than %d elements are nested", maxOpen)
			}
			if b.extra == 1 {
				b.d.Warn("nesting_flattened", "Elements were nested more deeply than is followed; the innermost were left out, their text was kept.")
			}
			return nil
		}
		b.start(t)
	case xml.EndElement:
		switch {
		case b.extra > 0:
			b.extra--
		case b.open != nil:
			b.open = b.open.Parent
			b.built--
		}
	case xml.CharData:
		if b.open != nil {
			b.open.AppendChild(&html.Node{Type: html.TextNode, Data: string(t)})
		}
	}
	return nil
}

func (b *treeBuilder) start(t xml.StartElement) {
	n := &html.Node{Type: html.ElementNode, Data: strings.ToLower(t.Name.Local), Namespace: t.Name.Space}
	for _, a := range t.Attr {
		if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
			continue
		}
		n.Attr = append(n.Attr, html.Attribute{Key: strings.ToLower(a.Name.Local), Val: a.Value})
	}
	if b.open != nil {
		b.open.AppendChild(n)
	} else if b.root == nil {
		b.root = n
	} else {
		b.root.AppendChild(n) // a second root: the file is not well-formed, its content is read all the same
	}
	b.open = n
	b.built++
}

var (
	// entity is an internal general entity.
	entity = lazyregexp.New(`<!ENTITY\s+([\w.-]+)\s+(?:"([^"<]{0,200})"|'([^'<]{0,200})')\s*>`)
	// outsideEntity is in another file.
	outsideEntity = lazyregexp.New(`<!ENTITY\s+(?:%\s+)?[\w.-]+\s+(?:SYSTEM|PUBLIC)\s`)
	entityMark    = lazyregexp.New(`&([\w.-]+);`)
)

// entityText is how long the text of an entity may be, with those in it expanded: texts that grow (the "billion laughs") stop there.
const entityText = 200

// entities are those of HTML, which many vocabularies use, and those that the document declares. External ones are not followed.
func entities(d *doc.Document, text string) map[string]string {
	list := map[string]string{}
	for name, value := range xml.HTMLEntity {
		list[name] = value
	}
	declarations := text[:min(len(text), 64<<10)]
	if outsideEntity.MatchString(declarations) {
		d.Warn("external_reference", "An external entity was not followed: other files are not part of the document.")
	}
	for _, m := range entity.FindAllStringSubmatch(declarations, 500) {
		value := html.UnescapeString(entityMark.ReplaceAllStringFunc(m[2]+m[3], func(mark string) string {
			if known, ok := list[mark[1:len(mark)-1]]; ok && len(known) <= entityText {
				return known
			}
			return mark
		}))
		if len(value) > entityText {
			d.Warn("limit_reached", "An entity stands for more text than entities may; it was left as it is.")
			continue
		}
		list[m[1]] = value
	}
	return list
}

func attr(n *html.Node, names ...string) string {
	for _, name := range names {
		for _, a := range n.Attr {
			if a.Key == name {
				return a.Val
			}
		}
	}
	return ""
}

// insideWords are elements that words have inside: "H<sub>2</sub>O".
var insideWords = set("sub sup subscript superscript italic bold i b em strong sc underline emphasis styled-content named-content")

// textOf is all text below n in one line.
func textOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		} else if !insideWords[d.Data] {
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func isElement(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	for _, name := range names {
		if n.Data == name {
			return true
		}
	}
	return false
}

func find(n *html.Node, names ...string) *html.Node {
	if n == nil {
		return nil
	}
	for d := range n.Descendants() {
		if isElement(d, names...) {
			return d
		}
	}
	return nil
}

func child(n *html.Node, names ...string) *html.Node {
	if n == nil {
		return nil
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isElement(c, names...) {
			return c
		}
	}
	return nil
}

func children(n *html.Node) []*html.Node {
	var list []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			list = append(list, c)
		}
	}
	return list
}
