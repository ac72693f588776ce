package jsonfmt

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Limits of data: deeper or larger is kept as text.
const (
	maxDepth = 500
	maxYAML  = 16 << 20  // bytes
	maxNodes = 2_000_000 // of a YAML document with its aliases followed
)

// value is a piece of data with its order kept.
type value struct {
	kind  kind
	text  string   // of a scalar, as shown
	names []string // of an object
	items []value  // of an object or list
}

type kind int

const (
	scalar kind = iota
	object
	list
	null
)

func (v value) isScalar() bool { return v.kind == scalar || v.kind == null }

// readValue reads one JSON value token by token, so that the order of names is kept.
func readValue(d *json.Decoder, depth int) (value, error) {
	token, err := d.Token()
	if err != nil {
		return value{}, err
	}
	if depth > maxDepth {
		return value{}, errors.New("nested too deeply")
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return fromToken(token), nil
	}
	v := value{kind: object}
	if delim == '[' {
		v.kind = list
	}
	for d.More() {
		if v.kind == object {
			name, err := d.Token()
			if err != nil {
				return v, err
			}
			v.names = append(v.names, fmt.Sprint(name))
		}
		item, err := readValue(d, depth+1)
		if err != nil {
			return v, err
		}
		v.items = append(v.items, item)
	}
	_, err = d.Token()
	return v, err
}

func fromToken(token json.Token) value {
	switch t := token.(type) {
	case nil:
		return value{kind: null}
	case string:
		return value{text: t}
	}
	return value{text: fmt.Sprint(token)}
}

// fromYAML makes a value of a node. Aliases are followed; budget stops those that multiply (the "billion laughs").
func fromYAML(n *yaml.Node, depth int, budget *int) (value, bool) {
	if *budget--; *budget < 0 || depth > maxDepth {
		return value{}, false
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) == 0 {
			return value{kind: null}, true
		}
		return fromYAML(n.Content[0], depth+1, budget)
	case yaml.AliasNode:
		return fromYAML(n.Alias, depth+1, budget)
	case yaml.MappingNode:
		v := value{kind: object}
		for i := 0; i+1 < len(n.Content); i += 2 {
			item, ok := fromYAML(n.Content[i+1], depth+1, budget)
			if !ok {
				return v, false
			}
			v.names = append(v.names, n.Content[i].Value)
			v.items = append(v.items, item)
		}
		return v, true
	case yaml.SequenceNode:
		v := value{kind: list}
		for _, c := range n.Content {
			item, ok := fromYAML(c, depth+1, budget)
			if !ok {
				return v, false
			}
			v.items = append(v.items, item)
		}
		return v, true
	}
	if n.Tag == "!!null" {
		return value{kind: null}, true
	}
	return value{text: n.Value}, true
}
