package xmltree

import "strings"

// maxInterned bounds how many different attribute values are kept for sharing.
const maxInterned = 4096

// names turns names as they stand in the file into names with the prefixes of Options.Namespaces.
type names struct {
	known    map[string]string // prefix by namespace URI
	taken    map[string]bool   // the prefixes in known
	bindings []binding         // declarations in force, innermost last
	elements map[string]string // names already resolved under the bindings in force
	attrs    map[string]string
	values   map[string]string // attribute values that were seen
}

type binding struct{ prefix, space string }

func newNames(known map[string]string) names {
	taken := map[string]bool{}
	for _, prefix := range known {
		taken[prefix] = true
	}
	return names{known: known, taken: taken, elements: map[string]string{}, attrs: map[string]string{}, values: map[string]string{}}
}

func (n *names) bind(prefix, space string) {
	if n.space(prefix) != space {
		n.forget()
	}
	n.bindings = append(n.bindings, binding{prefix, space})
}

func (n *names) unbind(mark int) {
	if mark == len(n.bindings) {
		return
	}
	for _, b := range n.bindings[mark:] {
		if outer := n.spaceBelow(b.prefix, mark); outer != b.space {
			n.forget()
			break
		}
	}
	n.bindings = n.bindings[:mark]
}

func (n *names) forget() {
	clear(n.elements)
	clear(n.attrs)
}

func (n *names) space(prefix string) string { return n.spaceBelow(prefix, len(n.bindings)) }

func (n *names) spaceBelow(prefix string, end int) string {
	for i := end - 1; i >= 0; i-- {
		if n.bindings[i].prefix == prefix {
			return n.bindings[i].space
		}
	}
	return ""
}

func (n *names) element(raw []byte) string {
	if name, ok := n.elements[string(raw)]; ok {
		return name
	}
	name := n.resolve(string(raw), true)
	n.elements[string(raw)] = name
	return name
}

func (n *names) attribute(raw []byte) string {
	if name, ok := n.attrs[string(raw)]; ok {
		return name
	}
	name := n.resolve(string(raw), false)
	n.attrs[string(raw)] = name
	return name
}

// resolve names one element or attribute. A prefix that is not declared is believed.
func (n *names) resolve(raw string, element bool) string {
	prefix, local, prefixed := strings.Cut(raw, ":")
	if !prefixed {
		prefix, local = "", raw
	}
	if prefix == "" && !element || prefix == "xml" {
		return raw
	}
	space := n.space(prefix)
	if known, ok := n.known[space]; ok && space != "" {
		if known == "" {
			return local
		}
		return known + ":" + local
	}
	if space != "" && n.taken[prefix] {
		return "other:" + local // a foreign namespace under a prefix that we use
	}
	return raw
}

// prefixes resolves a list of prefixes, for Options.PrefixAttr.
func (n *names) prefixes(list string) string {
	fields := strings.Fields(list)
	for i, prefix := range fields {
		space := n.space(prefix)
		if known := n.known[space]; known != "" {
			fields[i] = known
		} else if space != "" {
			fields[i] = space
		}
	}
	return strings.Join(fields, " ")
}

// intern shares short values, of which a document has few different ones.
func (n *names) intern(value []byte) string {
	if len(value) > 24 {
		return string(value)
	}
	if shared, ok := n.values[string(value)]; ok {
		return shared
	}
	text := string(value)
	if len(n.values) < maxInterned {
		n.values[text] = text
	}
	return text
}
