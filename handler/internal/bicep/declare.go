package bicep

import (
	"fmt"
	"path"
	"strings"
)

// own are the properties of a declaration that are the language's, not the resource's.
var own = map[string]bool{"parent": true, "scope": true, "dependsOn": true, "name": true}

// declare adds a resource or what is in a module to the plan, and makes it known by its symbol.
func (set Set) declare(p *Plan, s *scope, d *Declaration, source Source) error {
	if d.For == nil {
		h, err := set.one(p, s, d, source)
		s.things[d.Symbol] = h
		return err
	}
	in, err := s.eval(d.For.In)
	if err != nil {
		return err
	}
	list, ok := in.([]any)
	if !ok {
		return s.fail(d.Line, "%s: for over %T", d.Symbol, in)
	}
	handles := []any{}
	for i, item := range list {
		h, err := set.one(p, s.with(map[string]any{d.For.Item: item, d.For.Index: int64(i)}), d, source)
		if err != nil {
			return err
		}
		handles = append(handles, h)
	}
	s.things[d.Symbol] = handles
	return nil
}

// one is a resource or module without its loop.
func (set Set) one(p *Plan, s *scope, d *Declaration, source Source) (any, error) {
	body, parent, err := s.bodyOf(d)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprint(body["name"])
	if parent != "" {
		name = parent + "/" + name
	}
	h := handle{symbol: d.Symbol, kind: d.Type, name: body["name"]}
	if d.If != nil {
		wanted, err := s.eval(d.If)
		if err != nil || wanted != true {
			return h, err
		}
	}
	if d.Path != "" {
		p.Modules = append(p.Modules, d.Symbol)
		params, _ := body["params"].(map[string]any)
		outputs, err := set.expand(p, path.Join(path.Dir(s.file.Name), d.Path), params, source)
		return map[string]any{"name": body["name"], "outputs": outputs}, err
	}
	if !d.Existing {
		rest := map[string]any{}
		for k, v := range body {
			if !own[k] {
				rest[k] = v
			}
		}
		p.Resources = append(p.Resources, Resource{File: s.file.Name, Symbol: d.Symbol, Type: d.Type, Version: d.Version, Name: name, Body: rest})
	}
	return h, nil
}

// bodyOf works out the properties; dependsOn, parent and scope name symbols and are held to those that are declared.
func (s *scope) bodyOf(d *Declaration) (body map[string]any, parent string, err error) {
	body = map[string]any{}
	for _, prop := range d.Body.Props {
		key, err := s.eval(prop.Key)
		if err != nil {
			return nil, "", err
		}
		k := fmt.Sprint(key)
		if k == "dependsOn" {
			if err := s.declared(prop); err != nil {
				return nil, "", err
			}
			continue
		}
		v, err := s.eval(prop.Value)
		if err != nil {
			return nil, "", err
		}
		if k == "parent" {
			h, ok := v.(handle)
			if !ok || strings.Count(d.Type, "/") == 0 || h.kind != d.Type[:strings.LastIndex(d.Type, "/")] {
				return nil, "", s.fail(prop.Line, "%s: the parent of a %s cannot be %v", d.Symbol, d.Type, v)
			}
			parent = fmt.Sprint(h.name)
		}
		if _, twice := body[k]; twice {
			return nil, "", s.fail(prop.Line, "property %s stands twice", k)
		}
		body[k] = v
	}
	if body["name"] == nil {
		return nil, "", s.fail(d.Line, "%s has no name", d.Symbol)
	}
	return body, parent, nil
}

func (s *scope) declared(prop Prop) error {
	list, ok := prop.Value.(Array)
	if !ok {
		return s.fail(prop.Line, "dependsOn takes a list of symbols")
	}
	for _, item := range list.Items {
		n, ok := item.(Name)
		if !ok || s.file.declaration(n.Name) == nil {
			return s.fail(prop.Line, "dependsOn names %v, which is no resource or module here", item)
		}
	}
	return nil
}

func (f *File) declaration(symbol string) *Declaration {
	for _, d := range f.Resources {
		if d.Symbol == symbol {
			return d
		}
	}
	return nil
}
