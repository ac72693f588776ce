package bicep

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
)

// Types are Microsoft's models, as tools/bicep/types.py wrote them down.
type Types struct {
	From      map[string]string `json:"from"`      // package and version
	Resources map[string]string `json:"resources"` // resource type → model
	Types     map[string]Model  `json:"types"`
}

// Model is one object's properties. By names the property whose word decides which of Subtypes an object is.
type Model struct {
	Props    map[string]Kind   `json:"props"`
	By       string            `json:"by"`
	Subtypes map[string]string `json:"subtypes"`
}

// Kind is what a property takes: one of the fields is set.
type Kind struct {
	Word string // string, bool, int, number, any
	Enum []string
	Ref  string
	List *Kind
	Map  *Kind
}

// UnmarshalJSON reads a word or an object with one of enum, ref, list and map.
func (k *Kind) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &k.Word) == nil {
		return nil
	}
	return json.Unmarshal(text, &struct {
		Enum *[]string
		Ref  *string
		List **Kind
		Map  **Kind
	}{&k.Enum, &k.Ref, &k.List, &k.Map})
}

// ParseTypes reads types.json.
func ParseTypes(text []byte) (*Types, error) {
	t := &Types{}
	return t, json.Unmarshal(text, t)
}

// Check holds a resource to its model. Every problem names the path in the resource. A type without a model is not checked; see Knows.
func (t *Types) Check(r Resource) []string {
	c := &check{types: t}
	if model, ok := t.Resources[r.Type]; ok {
		c.value(r.Type, Kind{Ref: model}, r.Body)
	}
	return c.problems
}

// Knows tells whether there is a model for a resource type.
func (t *Types) Knows(resource string) bool { return t.Resources[resource] != "" }

type check struct {
	types    *Types
	problems []string
}

func (c *check) report(where, format string, args ...any) {
	c.problems = append(c.problems, where+": "+fmt.Sprintf(format, args...))
}

// value holds a value to its kind. What only Azure knows, and null, pass.
func (c *check) value(where string, k Kind, v any) {
	if _, unknown := v.(Unknown); unknown || v == nil || k.Word == "any" {
		return
	}
	switch {
	case k.Ref != "":
		c.object(where, k.Ref, v)
	case k.List != nil:
		list, ok := v.([]any)
		if !ok {
			c.report(where, "takes a list, not %v", v)
		}
		for i, item := range list {
			c.value(fmt.Sprintf("%s[%d]", where, i), *k.List, item)
		}
	case k.Map != nil:
		o, ok := v.(map[string]any)
		if !ok {
			c.report(where, "takes an object, not %v", v)
		}
		for name, item := range o {
			c.value(where+"."+name, *k.Map, item)
		}
	case k.Enum != nil:
		if text, ok := v.(string); !ok || !slices.Contains(k.Enum, text) {
			c.report(where, "takes one of %q, not %v", k.Enum, v)
		}
	default:
		c.plain(where, k.Word, v)
	}
}

func (c *check) plain(where, word string, v any) {
	ok := false
	switch v.(type) {
	case string:
		ok = word == "string"
	case bool:
		ok = word == "bool"
	case int64:
		ok = word == "int" || word == "number"
	}
	if !ok {
		c.report(where, "takes a %s, not %v", word, v)
	}
}

func (c *check) object(where, model string, v any) {
	o, ok := v.(map[string]any)
	if !ok {
		c.report(where, "takes an object, not %v", v)
		return
	}
	m, known := c.types.Types[model]
	if !known || len(m.Props) == 0 && m.By == "" {
		return
	}
	if word, ok := o[m.By].(string); ok && m.By != "" {
		sub, ok := m.Subtypes[word]
		if !ok {
			c.report(where, "%s %q is none of the kinds that there are", m.By, word)
			return
		}
		m = c.types.Types[sub]
	}
	keys := make([]string, 0, len(o))
	for key := range o {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		k, ok := m.Props[key]
		if !ok {
			c.report(where, "there is no property %q", key)
			continue
		}
		c.value(where+"."+key, k, o[key])
	}
}
