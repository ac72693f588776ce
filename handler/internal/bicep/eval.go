package bicep

import (
	"fmt"
	"reflect"
	"strings"
)

// Unknown is a value that only Azure knows: the principal of an identity, a connection string. Text says which.
type Unknown struct{ Text string }

func (u Unknown) String() string { return "<" + u.Text + ">" }

// handle is a resource or module as expressions see it.
type handle struct {
	symbol string
	kind   string // type of the resource, "" for a module
	name   any
}

// scope is what names mean in one template.
type scope struct {
	file   *File
	params map[string]any
	vars   map[string]any
	busy   map[string]bool
	local  map[string]any // of loops and lambdas
	things map[string]any // handles by symbol; a list of them for a loop
	load   func(path string) (string, error)
}

func (s *scope) with(names map[string]any) *scope {
	inner := *s
	inner.local = map[string]any{}
	for k, v := range s.local {
		inner.local[k] = v
	}
	for k, v := range names {
		inner.local[k] = v
	}
	return &inner
}

func (s *scope) fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.file.Name, line, fmt.Sprintf(format, args...))
}

// eval works an expression out.
func (s *scope) eval(e Expr) (any, error) {
	switch e := e.(type) {
	case Literal:
		return e.Value, nil
	case Text:
		return s.text(e)
	case Name:
		return s.lookup(e)
	case Member:
		on, err := s.eval(e.On)
		if err != nil {
			return nil, err
		}
		return s.member(on, e.Name)
	case Index:
		return s.index(e)
	case Call:
		return s.call(e)
	case Array:
		return s.items(e.Items)
	case *Object:
		return s.object(e)
	case *For:
		return s.loop(e)
	case Lambda:
		return e, nil
	case Cond:
		test, err := s.eval(e.If)
		if err != nil {
			return nil, err
		}
		if test == true {
			return s.eval(e.Then)
		}
		return s.eval(e.Else)
	case Unary:
		return s.unary(e)
	case Binary:
		return s.binary(e)
	}
	return nil, fmt.Errorf("%s: no rule for %T", s.file.Name, e)
}

func (s *scope) items(list []Expr) ([]any, error) {
	out := []any{}
	for _, e := range list {
		v, err := s.eval(e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (s *scope) object(o *Object) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range o.Props {
		key, err := s.eval(p.Key)
		if err != nil {
			return nil, err
		}
		if _, twice := out[fmt.Sprint(key)]; twice {
			return nil, s.fail(p.Line, "property %v stands twice", key)
		}
		if out[fmt.Sprint(key)], err = s.eval(p.Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *scope) text(t Text) (any, error) {
	var b strings.Builder
	for _, part := range t.Parts {
		v, err := s.eval(part)
		if err != nil {
			return nil, err
		}
		fmt.Fprint(&b, v)
	}
	return b.String(), nil
}

func (s *scope) lookup(n Name) (any, error) {
	for _, known := range []map[string]any{s.local, s.params, s.vars, s.things} {
		if v, ok := known[n.Name]; ok {
			return v, nil
		}
	}
	for _, p := range s.file.Params {
		if p.Name == n.Name {
			if p.Default == nil {
				return nil, s.fail(p.Line, "parameter %s is not given", p.Name)
			}
			return s.once(n, p.Default, s.params)
		}
	}
	for _, v := range s.file.Vars {
		if v.Name == n.Name {
			return s.once(n, v.Value, s.vars)
		}
	}
	return nil, s.fail(n.Line, "%s is not declared", n.Name)
}

// once works a declared value out and keeps it.
func (s *scope) once(n Name, e Expr, kept map[string]any) (any, error) {
	if s.busy[n.Name] {
		return nil, s.fail(n.Line, "%s is made from itself", n.Name)
	}
	s.busy[n.Name] = true
	defer delete(s.busy, n.Name)
	inner := *s
	inner.local = nil
	v, err := inner.eval(e)
	if err == nil {
		kept[n.Name] = v
	}
	return v, err
}

// member is on.name; what is behind a resource's properties is unknown.
func (s *scope) member(on any, name string) (any, error) {
	switch on := on.(type) {
	case Unknown:
		return Unknown{on.Text + "." + name}, nil
	case map[string]any:
		v, ok := on[name]
		if !ok {
			return nil, fmt.Errorf("%s: there is no property %s in %v", s.file.Name, name, on)
		}
		return v, nil
	case handle:
		switch {
		case name == "name":
			return on.name, nil
		case name == "id":
			return fmt.Sprintf("/providers/%s/%v", on.kind, on.name), nil
		}
		return Unknown{fmt.Sprintf("%s.%v.%s", on.symbol, on.name, name)}, nil
	}
	return nil, fmt.Errorf("%s: .%s of %T", s.file.Name, name, on)
}

func (s *scope) index(e Index) (any, error) {
	on, err := s.eval(e.On)
	if err != nil {
		return nil, err
	}
	key, err := s.eval(e.Key)
	if err != nil {
		return nil, err
	}
	if text, ok := key.(string); ok {
		return s.member(on, text)
	}
	list, ok := on.([]any)
	n, ok2 := key.(int64)
	if !ok || !ok2 || n < 0 || n >= int64(len(list)) {
		return nil, fmt.Errorf("%s: no [%v] in %v", s.file.Name, key, on)
	}
	return list[n], nil
}

func (s *scope) loop(f *For) (any, error) {
	in, err := s.eval(f.In)
	if err != nil {
		return nil, err
	}
	list, ok := in.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: for over %T", s.file.Name, in)
	}
	out := []any{}
	for i, item := range list {
		v, err := s.with(map[string]any{f.Item: item, f.Index: int64(i)}).eval(f.Body)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (s *scope) unary(e Unary) (any, error) {
	x, err := s.eval(e.X)
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case bool:
		return !x, nil
	case int64:
		return -x, nil
	}
	return nil, fmt.Errorf("%s: %s of %T", s.file.Name, e.Op, x)
}

func (s *scope) binary(e Binary) (any, error) {
	x, err := s.eval(e.X)
	if err != nil {
		return nil, err
	}
	if short := x == (e.Op == "||"); short && (e.Op == "||" || e.Op == "&&") {
		return x, nil
	}
	y, err := s.eval(e.Y)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case "==":
		return reflect.DeepEqual(x, y), nil
	case "!=":
		return !reflect.DeepEqual(x, y), nil
	case "&&", "||":
		return y, nil
	}
	a, ok := x.(int64)
	b, ok2 := y.(int64)
	if !ok || !ok2 || b == 0 && strings.Contains("/%", e.Op) {
		return nil, fmt.Errorf("%s: %v %s %v", s.file.Name, x, e.Op, y)
	}
	return arithmetic[e.Op](a, b), nil
}

var arithmetic = map[string]func(a, b int64) any{
	"+": func(a, b int64) any { return a + b }, "-": func(a, b int64) any { return a - b }, "*": func(a, b int64) any { return a * b },
	"/": func(a, b int64) any { return a / b }, "%": func(a, b int64) any { return a % b },
	"<": func(a, b int64) any { return a < b }, "<=": func(a, b int64) any { return a <= b },
	">": func(a, b int64) any { return a > b }, ">=": func(a, b int64) any { return a >= b },
}
