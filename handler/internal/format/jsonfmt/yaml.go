package jsonfmt

import (
	"go.yaml.in/yaml/v3"

	"decant/handler/internal/datadoc"
)

// maxFollowed is how deep nodes are followed at all. The YAML reader refuses what is nested deeper, so only aliases get there:
// those that hold themselves.
const maxFollowed = 10_000

// yamlReader makes values of the nodes of one YAML document.
type yamlReader struct {
	budget    int  // nodes that may still be read: stops aliases that multiply (the "billion laughs")
	flattened bool // something was nested more deeply than maxDepth
}

// value makes a value of a node. Aliases are followed. It is not ok when the document refers to itself too often.
func (r *yamlReader) value(n *yaml.Node, depth int) (v datadoc.Value, ok bool) {
	if r.budget--; r.budget < 0 {
		return v, false
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) == 0 {
			return datadoc.Value{Kind: datadoc.Null}, true
		}
		return r.value(n.Content[0], depth)
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.MappingNode, yaml.SequenceNode:
		if depth >= maxDepth {
			r.flattened = true
			v.Kind = datadoc.Object
			return v, r.flatten(n, depth, &v)
		}
		return r.members(n, depth)
	}
	return scalar(n), true
}

func (r *yamlReader) members(n *yaml.Node, depth int) (v datadoc.Value, ok bool) {
	v.Kind = datadoc.List
	names, content := members(n)
	if names != nil {
		v.Kind = datadoc.Object
	}
	for i, c := range content {
		item, ok := r.value(c, depth+1)
		if !ok {
			return v, false
		}
		if names != nil {
			v.Names = append(v.Names, names[i].Value)
		}
		v.Items = append(v.Items, item)
	}
	return v, true
}

// flatten adds everything below a node to one object, in order: what holds others as its name alone.
func (r *yamlReader) flatten(n *yaml.Node, depth int, into *datadoc.Value) bool {
	if depth > maxFollowed {
		return false
	}
	names, content := members(n)
	for i, c := range content {
		if r.budget--; r.budget < 0 {
			return false
		}
		name := ""
		if names != nil {
			name = names[i].Value
		}
		for hops := 0; c.Kind == yaml.AliasNode && hops < maxFollowed; hops++ {
			c = c.Alias
		}
		if c.Kind != yaml.MappingNode && c.Kind != yaml.SequenceNode {
			into.Names, into.Items = append(into.Names, name), append(into.Items, scalar(c))
			continue
		}
		if name != "" {
			into.Names, into.Items = append(into.Names, name), append(into.Items, datadoc.Value{})
		}
		if !r.flatten(c, depth+1, into) {
			return false
		}
	}
	return true
}

// members are what a node holds, with the names of a mapping.
func members(n *yaml.Node) (names, content []*yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, n.Content
	}
	names, content = []*yaml.Node{}, make([]*yaml.Node, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		names, content = append(names, n.Content[i]), append(content, n.Content[i+1])
	}
	return names, content
}

func scalar(n *yaml.Node) datadoc.Value {
	if n.Tag == "!!null" {
		return datadoc.Value{Kind: datadoc.Null}
	}
	return datadoc.Value{Text: n.Value}
}
