package bicep

import (
	"fmt"
	"path"
	"slices"
)

// Set is a template with its modules, by path.
type Set map[string]*File

// Text gives a file's text by its path, such as infra/modules/flex.bicep.
type Source func(path string) (string, error)

// Load parses a template and every module below it.
func Load(main string, source Source) (Set, error) {
	set := Set{}
	return set, set.load(main, source)
}

func (set Set) load(name string, source Source) error {
	if set[name] != nil {
		return nil
	}
	text, err := source(name)
	if err != nil {
		return err
	}
	f, err := Parse(name, text)
	if err != nil {
		return err
	}
	set[name] = f
	for _, d := range f.Resources {
		if d.Path == "" {
			continue
		}
		if err := set.load(path.Join(path.Dir(name), d.Path), source); err != nil {
			return err
		}
	}
	return nil
}

// Resource is a resource as it would be sent.
type Resource struct {
	File    string
	Symbol  string
	Type    string
	Version string
	Name    string // full, with the parents' names
	Body    map[string]any
}

// String is for messages: where it stands and what it is.
func (r Resource) String() string { return fmt.Sprintf("%s: %s (%s)", r.File, r.Symbol, r.Type) }

// Plan is a template worked out.
type Plan struct {
	Resources []Resource
	Outputs   map[string]any
	Modules   []string // symbols of the modules that are deployed, in order
}

// Expand works a template out with the given parameters; the others have their defaults.
func (set Set) Expand(main string, params map[string]any, source Source) (*Plan, error) {
	p := &Plan{}
	outputs, err := set.expand(p, main, params, source)
	p.Outputs = outputs
	return p, err
}

func (set Set) expand(p *Plan, name string, given map[string]any, source Source) (map[string]any, error) {
	f := set[name]
	s := &scope{file: f, vars: map[string]any{}, busy: map[string]bool{}, things: map[string]any{}, load: func(file string) (string, error) {
		return source(path.Join(path.Dir(name), file))
	}}
	if err := s.bind(given); err != nil {
		return nil, err
	}
	for _, d := range f.Resources {
		if err := set.declare(p, s, d, source); err != nil {
			return nil, err
		}
	}
	outputs := map[string]any{}
	for _, o := range f.Outputs {
		v, err := s.eval(o.Value)
		if err != nil {
			return nil, err
		}
		if err := s.kindIs(v, o.Type, "output "+o.Name, o.Line); err != nil {
			return nil, err
		}
		outputs[o.Name] = v
	}
	return outputs, nil
}

// bind gives the parameters their values and holds these to type and @allowed.
func (s *scope) bind(given map[string]any) error {
	s.params = map[string]any{}
	for name := range given {
		if !slices.ContainsFunc(s.file.Params, func(p *Param) bool { return p.Name == name }) {
			return fmt.Errorf("%s: there is no parameter %s", s.file.Name, name)
		}
	}
	for name, v := range given {
		s.params[name] = v
	}
	for _, p := range s.file.Params {
		v, err := s.lookup(Name{p.Name, p.Line})
		if err != nil {
			return err
		}
		if err := s.kindIs(v, p.Type, "parameter "+p.Name, p.Line); err != nil {
			return err
		}
		if err := s.allowed(p, v); err != nil {
			return err
		}
	}
	return nil
}

func (s *scope) allowed(p *Param, v any) error {
	if words, ok := p.Decorators["allowed"]; ok {
		list, err := s.eval(words)
		if err != nil {
			return err
		}
		if !slices.Contains(list.([]any), v) {
			return s.fail(p.Line, "parameter %s: %v is not one of %v", p.Name, v, list)
		}
	}
	for decorator, sign := range map[string]int64{"minValue": 1, "maxValue": -1} {
		if bound, ok := p.Decorators[decorator]; ok {
			limit, err := s.eval(bound)
			if err != nil {
				return err
			}
			if sign*v.(int64) < sign*limit.(int64) {
				return s.fail(p.Line, "parameter %s: %v is beyond @%s(%v)", p.Name, v, decorator, limit)
			}
		}
	}
	return nil
}

func (s *scope) kindIs(v any, kind, what string, line int) error {
	ok := true
	switch v.(type) {
	case string:
		ok = kind == "string"
	case int64:
		ok = kind == "int"
	case bool:
		ok = kind == "bool"
	case []any:
		ok = kind == "array"
	case map[string]any:
		ok = kind == "object"
	}
	if !ok {
		return s.fail(line, "%s is of type %s and gets %v", what, kind, v)
	}
	return nil
}
