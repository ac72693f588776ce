package bicep

import "slices"

// names calls see with every name that is read in an expression.
func names(e Expr, see func(Name)) {
	each := func(list ...Expr) {
		for _, x := range list {
			names(x, see)
		}
	}
	switch e := e.(type) {
	case Name:
		see(e)
	case Text:
		each(e.Parts...)
	case Member:
		each(e.On)
	case Index:
		each(e.On, e.Key)
	case Call:
		each(e.Args...)
	case Array:
		each(e.Items...)
	case *Object:
		for _, p := range e.Props {
			each(p.Key, p.Value)
		}
	case *For:
		each(e.In, e.Body)
	case Lambda:
		each(e.Body)
	case Cond:
		each(e.If, e.Then, e.Else)
	case Unary:
		each(e.X)
	case Binary:
		each(e.X, e.Y)
	}
}

// uses are the names that a declaration reads.
func (d *Declaration) uses(see func(Name)) {
	if d.If != nil {
		names(d.If, see)
	}
	if d.For != nil {
		names(d.For.In, see)
	}
	names(d.Body, see)
}

// Before tells whether a file's resource or module `first` is done before `then` begins: by dependsOn, or by what is read from it.
func (f *File) Before(first, then string) bool {
	seen := map[string]bool{}
	var reach func(symbol string) bool
	reach = func(symbol string) bool {
		if seen[symbol] {
			return false
		}
		seen[symbol] = true
		found := false
		see := func(n Name) {
			found = found || n.Name == first || reach(n.Name)
		}
		if d := f.declaration(symbol); d != nil {
			d.uses(see)
		}
		if i := slices.IndexFunc(f.Vars, func(v *Var) bool { return v.Name == symbol }); i >= 0 {
			names(f.Vars[i].Value, see)
		}
		return found
	}
	return first != then && f.declaration(first) != nil && f.declaration(then) != nil && reach(then)
}

// Unused are the parameters and variables that nobody reads.
func (f *File) Unused() []string {
	read := map[string]bool{}
	see := func(n Name) { read[n.Name] = true }
	for _, p := range f.Params {
		names(p.Default, see)
	}
	for _, v := range f.Vars {
		names(v.Value, see)
	}
	for _, d := range f.Resources {
		d.uses(see)
	}
	for _, o := range f.Outputs {
		names(o.Value, see)
	}
	var list []string
	for _, p := range f.Params {
		if !read[p.Name] {
			list = append(list, p.Name)
		}
	}
	for _, v := range f.Vars {
		if !read[v.Name] {
			list = append(list, v.Name)
		}
	}
	return list
}
