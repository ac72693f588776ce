package bicep

// File is one parsed template.
type File struct {
	Name      string
	Scope     string // resourceGroup unless it says otherwise
	Params    []*Param
	Vars      []*Var
	Resources []*Declaration // resources and modules, in order
	Outputs   []*Output
}

// Param is a parameter.
type Param struct {
	Name       string
	Type       string
	Default    Expr // nil when it must be given
	Decorators map[string]Expr
	Line       int
}

// Var is a variable.
type Var struct {
	Name  string
	Value Expr
	Line  int
}

// Output is an output.
type Output struct {
	Name  string
	Type  string
	Value Expr
	Line  int
}

// Declaration is a resource or, when Path is set, a module.
type Declaration struct {
	Symbol   string
	Type     string // Microsoft.Web/sites
	Version  string // 2024-11-01
	Path     string // of the module, relative to the file
	Existing bool
	If       Expr // nil without a condition
	For      *For // nil without a loop
	Body     *Object
	Line     int
}

// Expr is an expression.
type Expr any

// Expressions. A literal is a Literal; an interpolated string is a Text.
type (
	Literal struct{ Value any } // string, int64, bool or nil
	Text    struct{ Parts []Expr }
	Name    struct {
		Name string
		Line int
	}
	Member struct {
		On   Expr
		Name string
	}
	Index struct{ On, Key Expr }
	Call  struct {
		Name string
		On   Expr // nil for a plain function
		Args []Expr
		Line int
	}
	Array  struct{ Items []Expr }
	Object struct{ Props []Prop }
	Prop   struct {
		Key   Expr
		Value Expr
		Line  int
	}
	Unary struct {
		Op string
		X  Expr
	}
	Binary struct {
		Op   string
		X, Y Expr
	}
	Cond struct{ If, Then, Else Expr }
	For  struct {
		Item, Index string
		In          Expr
		Body        Expr
	}
	Lambda struct {
		Params []string
		Body   Expr
	}
)
