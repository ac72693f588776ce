package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed is the map of docs/architecture.md as data: which of our packages each package may import.
// A trailing /* stands for every package below. Test files are not held to it.
var allowed = map[string][]string{
	"fault":       {},
	"lazyregexp":  {},
	"doc":         {},
	"config":      {"job", "fault"},
	"azfunc":      {},
	"token":       {},
	"token/vocab": {"token"},

	"job":        {"fault"},
	"format":     {"doc", "fault", "cfb"},
	"layout":     {"doc"},
	"markdown":   {"doc"},
	"chunk":      {"doc", "markdown", "token"},
	"docling":    {"doc"},
	"preview":    {"doc", "markdown", "chunk"},
	"zipfile":    {"fault"},
	"ooxml":      {"doc", "format", "fault", "xmltree", "zipfile", "numfmt", "cfb"},
	"odf":        {"doc", "format", "fault", "xmltree", "zipfile", "stylename"},
	"stylename":  {},
	"xmltree":    {"doc"},
	"charset":    {},
	"textfile":   {"doc", "format", "fault", "charset"},
	"htmldoc":    {"doc", "format", "fault", "charset"},
	"pdfium":     {"fault"},
	"pdftest":    {},
	"numfmt":     {},
	"drawingml":  {"doc", "format", "fault", "ooxml", "xmltree", "oleobject", "stylename"},
	"oleobject":  {"cfb"},
	"format/*":   {"format", "doc", "fault", "ooxml", "odf", "xmltree", "zipfile", "layout", "charset", "textfile", "htmldoc", "pdfium", "numfmt", "grid", "drawingml", "oleobject", "children", "mail", "cfb", "mdtext", "datadoc", "docling", "stylename", "markup"},
	"children":   {"doc", "format", "fault"},
	"mail":       {"doc", "format", "fault", "charset", "textfile", "htmldoc", "children"},
	"datadoc":    {"doc"},
	"cfb":        {},
	"mdtext":     {"doc", "format", "fault", "htmldoc"},
	"markup":     {"doc", "format", "htmldoc", "textfile"},
	"grid":       {"doc"},
	"facts":      {"doc"},
	"format/all": {"format", "format/*"},
	"convert":    {"job", "format", "format/all", "markdown", "chunk", "token", "docling", "preview", "facts", "doc", "fault"},

	"lockdir":  {},
	"child":    {"job", "fault", "lockdir"},
	"outside":  {"job", "fault", "child", "config", "format/legacy"},
	"pool":     {"job", "fault", "child"},
	"event":    {"job", "fault"},
	"ledger":   {"job", "fault"},
	"pipeline": {"job", "fault", "ledger"},
	"batch":    {"job", "fault", "event", "ledger", "pipeline"},
	"azure/*":  {"job", "fault", "ledger", "pipeline", "batch", "azure/account", "azfunc/azfunctest"},
	"local":    {"job", "fault", "ledger", "pipeline", "batch", "lockdir"},
	"mem":      {"job", "fault", "ledger", "pipeline", "batch"},

	"server":   {"azfunc", "event", "job", "fault", "web"},
	"server/*": {"azfunc", "event", "job", "fault", "server", "web"},
	"web":      {"job", "fault"},

	"child/childtest":       {"child", "job", "fault"},
	"emulator":              {},
	"bicep":                 {},
	"doctor":                {"job", "fault", "ledger"},
	"infratest":             {},
	"azfunc/azfunctest":     {"azfunc"},
	"deadletter":            {"job", "fault", "event", "ledger"},
	"sweep":                 {"job", "fault", "event", "ledger", "pipeline", "batch", "deadletter"},
	"batch/batchtest":       {"job", "fault", "event", "ledger", "pipeline", "batch", "mem", "pipeline/pipelinetest"},
	"pipeline/pipelinetest": {"job", "fault", "ledger", "pipeline"},
	"app":                   {"*"},
}

// everywhere may be imported by all.
const everywhere = "lazyregexp"

// onlyHere names foreign modules that may be imported from one place only.
var onlyHere = map[string][]string{
	"github.com/Azure/azure-sdk-for-go": {"azure/"},
	"github.com/spf13/cobra":            {"app"},
	"github.com/labstack/echo":          {"server"},
	"github.com/tetratelabs/wazero":     {"pdfium", "child"},
}

func TestLayers(t *testing.T) {
	const prefix = "decant/handler/internal/"
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		rules, known := rulesFor(pkg)
		if !known {
			t.Errorf("%s: package %q is not on the map: add it to layers_test.go and docs/architecture.md", file, pkg)
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if own, ok := strings.CutPrefix(imported, prefix); ok {
				if own != everywhere && !permits(rules, own) {
					t.Errorf("%s: %s may not import %s (the map allows %v)", file, pkg, own, rules)
				}
				continue
			}
			for module, places := range onlyHere {
				if strings.HasPrefix(imported, module) && !slices.ContainsFunc(places, func(p string) bool { return strings.HasPrefix(pkg+"/", p) }) {
					t.Errorf("%s: only %v may import %s", file, places, module)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func rulesFor(pkg string) ([]string, bool) {
	if rules, ok := allowed[pkg]; ok {
		return rules, true
	}
	for dir := path.Dir(pkg); dir != "."; dir = path.Dir(dir) {
		if rules, ok := allowed[dir+"/*"]; ok {
			return rules, true
		}
	}
	return nil, false
}

func permits(rules []string, pkg string) bool {
	for _, rule := range rules {
		if rule == "*" || rule == pkg {
			return true
		}
		if dir, ok := strings.CutSuffix(rule, "/*"); ok && strings.HasPrefix(pkg, dir+"/") {
			return true
		}
	}
	return false
}
