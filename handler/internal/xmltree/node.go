package xmltree

import (
	"io"
	"strings"
)

// Node is an element, or a piece of text when Name is empty.
type Node struct {
	Name     string
	Text     string // of a text node
	Attrs    []Attr
	Children []*Node
}

// Parse reads a whole document as a tree and gives its root element, or nil when there is none.
func Parse(r io.Reader, opts Options) (*Node, Damage, error) {
	s := NewScanner(r, opts)
	for s.Next() {
		if s.Kind() == Start {
			root := s.Element()
			return root, s.Damage(), s.Err()
		}
	}
	return nil, s.Damage(), s.Err()
}

// Element reads the element whose start tag the scanner stands on, up to its end tag, and gives it as a tree.
func (s *Scanner) Element() *Node {
	root := s.node()
	path := []*Node{root}
	var text []byte // pieces of text that follow each other are one node
	for len(path) > 0 && s.Next() {
		if s.Kind() == Text {
			text = append(text, s.Text()...)
			continue
		}
		top := path[len(path)-1]
		if len(text) > 0 {
			top.Children = append(top.Children, &Node{Text: string(text)})
			text = text[:0]
		}
		if s.Kind() == End {
			path = path[:len(path)-1]
			continue
		}
		child := s.node()
		top.Children = append(top.Children, child)
		path = append(path, child)
	}
	return root
}

func (s *Scanner) node() *Node {
	n := &Node{Name: s.name}
	if len(s.attrs) > 0 {
		n.Attrs = append(make([]Attr, 0, len(s.attrs)), s.attrs...)
	}
	return n
}

// Attr is the value of an attribute, or "". It may be called on nil.
func (n *Node) Attr(name string) string {
	value, _ := n.Lookup(name)
	return value
}

// Lookup is the value of an attribute, and whether it is there. It may be called on nil.
func (n *Node) Lookup(name string) (string, bool) {
	if n != nil {
		for i := range n.Attrs {
			if n.Attrs[i].Name == name {
				return n.Attrs[i].Value, true
			}
		}
	}
	return "", false
}

// Child is the first child element of that name, or of the first name along a path, or nil. It may be called on nil.
func (n *Node) Child(path ...string) *Node {
	for _, name := range path {
		n = n.child(name)
	}
	return n
}

func (n *Node) child(name string) *Node {
	if n != nil {
		for _, c := range n.Children {
			if c.Name == name {
				return c
			}
		}
	}
	return nil
}

// All are the child elements of that name. It may be called on nil.
func (n *Node) All(name string) []*Node {
	var found []*Node
	if n != nil {
		for _, c := range n.Children {
			if c.Name == name {
				found = append(found, c)
			}
		}
	}
	return found
}

// Find is the first descendant of that name, in document order, or nil. It may be called on nil.
func (n *Node) Find(name string) *Node {
	var found *Node
	n.Walk(func(c *Node) bool {
		if found == nil && c.Name == name {
			found = c
		}
		return found == nil
	})
	return found
}

// Walk calls visit for the descendant elements in document order. When visit returns false, that element is not entered.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil {
		return
	}
	for _, c := range n.Children {
		if c.Name != "" && visit(c) {
			c.Walk(visit)
		}
	}
}

// AllText is the text of the element and its descendants. It may be called on nil.
func (n *Node) AllText() string {
	if n == nil {
		return ""
	}
	if n.Name == "" {
		return n.Text
	}
	if len(n.Children) == 1 {
		return n.Children[0].AllText()
	}
	var b strings.Builder
	n.writeText(&b)
	return b.String()
}

func (n *Node) writeText(b *strings.Builder) {
	b.WriteString(n.Text)
	for _, c := range n.Children {
		c.writeText(b)
	}
}
