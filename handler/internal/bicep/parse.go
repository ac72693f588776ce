package bicep

import (
	"fmt"
	"strings"
)

// Parse reads a template. The error names file and line.
func Parse(name, text string) (*File, error) {
	p, err := newParser(name, text, 1)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Scope: "resourceGroup"}
	for p.peek().kind != "end" {
		if err := p.statement(f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

type parser struct {
	file string
	list []token
	at   int
}

func newParser(file, text string, line int) (*parser, error) {
	l := &lexer{file: file, text: []rune(text), line: line}
	list, err := l.tokens()
	return &parser{file: file, list: list}, err
}

func (p *parser) peek() token { return p.list[p.at] }

func (p *parser) take() token {
	t := p.list[p.at]
	if t.kind != "end" {
		p.at++
	}
	return t
}

func (p *parser) fail(format string, args ...any) error {
	t := p.peek()
	what := t.text
	if t.kind == "string" {
		what = "a string"
	}
	return fmt.Errorf("%s:%d: %s, found %q", p.file, t.line, fmt.Sprintf(format, args...), what)
}

// is tells whether the next token is that symbol or word.
func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == "symbol" || t.kind == "name")
}

func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(text string) error {
	if p.accept(text) {
		return nil
	}
	return p.fail("expected %q", text)
}

func (p *parser) name() (string, error) {
	if t := p.peek(); t.kind == "name" {
		return p.take().text, nil
	}
	return "", p.fail("expected a name")
}

// only reads one expression and nothing after it.
func (p *parser) only() (Expr, error) {
	e, err := p.expr()
	if err == nil && p.peek().kind != "end" {
		err = p.fail("expected the end of the expression")
	}
	return e, err
}

func (p *parser) statement(f *File) error {
	decorators, err := p.decorators()
	if err != nil {
		return err
	}
	line := p.peek().line
	word, err := p.name()
	if err != nil {
		return err
	}
	switch word {
	case "targetScope":
		if err := p.expect("="); err != nil {
			return err
		}
		e, err := p.expr()
		if l, ok := e.(Literal); ok {
			f.Scope, _ = l.Value.(string)
		}
		return err
	case "param":
		return p.param(f, decorators, line)
	case "var":
		name, value, err := p.assignment()
		f.Vars = append(f.Vars, &Var{Name: name, Value: value, Line: line})
		return err
	case "output":
		return p.output(f, line)
	case "resource", "module":
		return p.declaration(f, word, line)
	}
	p.at--
	return p.fail("expected param, var, resource, module or output")
}

func (p *parser) decorators() (map[string]Expr, error) {
	found := map[string]Expr{}
	for p.accept("@") {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		args, err := p.args()
		if err != nil {
			return nil, err
		}
		found[name] = Literal{true}
		if len(args) > 0 {
			found[name] = args[0]
		}
	}
	return found, nil
}

func (p *parser) assignment() (string, Expr, error) {
	name, err := p.name()
	if err != nil {
		return "", nil, err
	}
	if err := p.expect("="); err != nil {
		return "", nil, err
	}
	value, err := p.expr()
	return name, value, err
}

func (p *parser) param(f *File, decorators map[string]Expr, line int) (err error) {
	a := &Param{Decorators: decorators, Line: line}
	if a.Name, err = p.name(); err != nil {
		return err
	}
	if a.Type, err = p.name(); err != nil {
		return err
	}
	if p.accept("=") {
		a.Default, err = p.expr()
	}
	f.Params = append(f.Params, a)
	return err
}

func (p *parser) output(f *File, line int) (err error) {
	o := &Output{Line: line}
	if o.Name, err = p.name(); err != nil {
		return err
	}
	if o.Type, err = p.name(); err != nil {
		return err
	}
	if err = p.expect("="); err != nil {
		return err
	}
	o.Value, err = p.expr()
	f.Outputs = append(f.Outputs, o)
	return err
}

func (p *parser) declaration(f *File, word string, line int) (err error) {
	d := &Declaration{Line: line}
	if d.Symbol, err = p.name(); err != nil {
		return err
	}
	target := p.take()
	text, ok := target.expr.(Literal)
	if !ok {
		return fmt.Errorf("%s:%d: expected the type or path of %s in quotes", p.file, line, d.Symbol)
	}
	if word == "module" {
		d.Path, _ = text.Value.(string)
	} else if d.Type, d.Version, ok = strings.Cut(text.Value.(string), "@"); !ok {
		return fmt.Errorf("%s:%d: %s has no API version", p.file, line, d.Symbol)
	}
	d.Existing = p.accept("existing")
	if err = p.expect("="); err != nil {
		return err
	}
	if err = p.body(d); err == nil && d.Body == nil {
		err = p.fail("expected an object")
	}
	f.Resources = append(f.Resources, d)
	return err
}

// body reads if (...) {...}, [for ...: {...}] or {...}.
func (p *parser) body(d *Declaration) (err error) {
	if p.accept("if") {
		if d.If, err = p.expr(); err != nil {
			return err
		}
	}
	e, err := p.expr()
	if a, ok := e.(*For); ok {
		d.For, e = a, a.Body
	}
	d.Body, _ = e.(*Object)
	return err
}
