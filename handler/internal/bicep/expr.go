package bicep

// levels are the binary operators, weakest first.
var levels = [][]string{{"??"}, {"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}

// expr reads an expression.
func (p *parser) expr() (Expr, error) {
	if l, ok, err := p.lambda(); ok || err != nil {
		return l, err
	}
	e, err := p.binary(0)
	if err != nil || !p.accept("?") {
		return e, err
	}
	then, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	other, err := p.expr()
	return Cond{e, then, other}, err
}

// lambda reads x => ... when there is one.
func (p *parser) lambda() (Expr, bool, error) {
	if p.peek().kind != "name" || p.at+1 >= len(p.list) || p.list[p.at+1].text != "=>" {
		return nil, false, nil
	}
	name := p.take().text
	p.take()
	body, err := p.expr()
	return Lambda{[]string{name}, body}, true, err
}

func (p *parser) binary(level int) (Expr, error) {
	if level == len(levels) {
		return p.unary()
	}
	x, err := p.binary(level + 1)
	for err == nil {
		op := ""
		for _, o := range levels[level] {
			if p.peek().kind == "symbol" && p.is(o) {
				op = o
			}
		}
		if op == "" {
			break
		}
		p.take()
		var y Expr
		y, err = p.binary(level + 1)
		x = Binary{op, x, y}
	}
	return x, err
}

func (p *parser) unary() (Expr, error) {
	for _, op := range []string{"!", "-"} {
		if p.peek().kind == "symbol" && p.accept(op) {
			x, err := p.unary()
			return Unary{op, x}, err
		}
	}
	e, err := p.primary()
	for err == nil && !p.peek().nl {
		switch {
		case p.accept("."):
			var name string
			if name, err = p.name(); err != nil {
				return nil, err
			}
			if !p.is("(") {
				e = Member{e, name}
				continue
			}
			var args []Expr
			args, err = p.args()
			e = Call{Name: name, On: e, Args: args}
		case p.accept("["):
			var key Expr
			if key, err = p.expr(); err == nil {
				err = p.expect("]")
			}
			e = Index{e, key}
		default:
			return e, nil
		}
	}
	return e, err
}

func (p *parser) primary() (Expr, error) {
	t := p.peek()
	switch {
	case t.kind == "string":
		return p.take().expr, nil
	case t.kind == "int":
		return number(p.take().text)
	case p.accept("("):
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		return e, p.expect(")")
	case p.is("["):
		return p.array()
	case p.is("{"):
		return p.object()
	case t.kind == "name":
		return p.word()
	}
	return nil, p.fail("expected a value")
}

var words = map[string]any{"true": true, "false": false, "null": nil}

func (p *parser) word() (Expr, error) {
	t := p.take()
	if value, ok := words[t.text]; ok {
		return Literal{value}, nil
	}
	if p.is("(") {
		args, err := p.args()
		return Call{Name: t.text, Args: args, Line: t.line}, err
	}
	return Name{t.text, t.line}, nil
}

func (p *parser) args() ([]Expr, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var list []Expr
	for !p.is(")") {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if !p.accept(",") {
			break
		}
	}
	return list, p.expect(")")
}

// array reads [a, b] with commas or line ends between, or [for ...].
func (p *parser) array() (Expr, error) {
	p.take()
	if p.accept("for") {
		return p.loop()
	}
	a := Array{}
	for !p.is("]") {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		a.Items = append(a.Items, e)
		if !p.accept(",") && !p.peek().nl && !p.is("]") {
			return nil, p.fail("expected , or ] or a new line")
		}
	}
	return a, p.expect("]")
}

func (p *parser) loop() (Expr, error) {
	f := &For{}
	var err error
	if p.accept("(") {
		if f.Item, err = p.name(); err != nil {
			return nil, err
		}
		if err = p.expect(","); err != nil {
			return nil, err
		}
		if f.Index, err = p.name(); err != nil {
			return nil, err
		}
		err = p.expect(")")
	} else {
		f.Item, err = p.name()
	}
	if err != nil {
		return nil, err
	}
	if err = p.expect("in"); err != nil {
		return nil, err
	}
	if f.In, err = p.expr(); err != nil {
		return nil, err
	}
	if err = p.expect(":"); err != nil {
		return nil, err
	}
	if f.Body, err = p.expr(); err != nil {
		return nil, err
	}
	return f, p.expect("]")
}

func (p *parser) object() (Expr, error) {
	p.take()
	o := &Object{}
	for !p.is("}") {
		t := p.peek()
		var key Expr
		switch t.kind {
		case "name":
			key = Literal{p.take().text}
		case "string":
			key = p.take().expr
		default:
			return nil, p.fail("expected the name of a property")
		}
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		value, err := p.expr()
		if err != nil {
			return nil, err
		}
		o.Props = append(o.Props, Prop{key, value, t.line})
		if !p.accept(",") && !p.peek().nl && !p.is("}") {
			return nil, p.fail("expected , or } or a new line")
		}
	}
	return o, p.expect("}")
}
