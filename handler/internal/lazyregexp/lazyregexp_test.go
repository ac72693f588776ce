package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"decant/handler/internal/lazyregexp"
)

func TestMethods(t *testing.T) {
	word := lazyregexp.New(`(\w)\w*`)
	if !word.MatchString("one two") || word.FindString("one two") != "one" || word.ReplaceAllString("one two", "$1") != "o t" {
		t.Error("the methods do not do what those of regexp.Regexp do")
	}
	if first, second := word.Std(), word.Std(); first != second {
		t.Error("the expression was compiled twice")
	}
}

// TestExpressions compiles every expression of the product, so that a mistake is found here and not in a document.
func TestExpressions(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if called, ok := call.Fun.(*ast.SelectorExpr); !ok || called.Sel.Name != "New" || name(called.X) != "lazyregexp" {
				return true
			}
			found++
			if text, ok := constant(call.Args[0]); !ok {
				t.Errorf("%s: an expression is not a string constant", path)
			} else if _, err := regexp.Compile(text); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return true
		})
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d expressions, %v", found, err)
	}
}

func name(x ast.Expr) string {
	id, _ := x.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

// constant gives the value of string literals that are joined with +.
func constant(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok1 := constant(x.X)
		right, ok2 := constant(x.Y)
		return left + right, ok1 && ok2
	}
	return "", false
}
