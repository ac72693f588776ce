package mdtext

import (
	"bytes"
	"html"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// formulas reads $x$, $`x`$ and $$x$$ as pandoc and GitHub do, and writes them as htmldoc reads them.
type formulas struct{}

func (formulas) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithInlineParsers(util.Prioritized(formulas{}, 150)),
		parser.WithBlockParsers(util.Prioritized(formulaBlocks{}, 650)),
	)
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(formulas{}, 500)))
}

var (
	kindFormula = ast.NewNodeKind("Formula")
	kindDisplay = ast.NewNodeKind("DisplayFormula")
)

// formula is LaTeX in a line.
type formula struct {
	ast.BaseInline
	tex     []byte
	display bool
}

func (*formula) Kind() ast.NodeKind              { return kindFormula }
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
func (formulas) Trigger() []byte                 { return []byte{'$'} }
func (formulas) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindFormula, renderFormula)
	r.Register(kindDisplay, renderDisplay)
}

// Parse takes a formula: the opening dollar has no space after it, the closing one no space before and no letter or digit after it.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if bytes.HasPrefix(line, []byte("$$")) {
		end := bytes.Index(line[2:], []byte("$$"))
		if end <= 0 {
			return nil
		}
		block.Advance(end + 4)
		return &formula{tex: bytes.TrimSpace(line[2 : end+2]), display: true}
	}
	if bytes.HasPrefix(line, []byte("$`")) {
		end := bytes.Index(line[2:], []byte("`$"))
		if end <= 0 {
			return nil
		}
		block.Advance(end + 4)
		return &formula{tex: line[2 : end+2]}
	}
	if len(line) < 3 || isSpace(line[1]) {
		return nil
	}
	for end := 1; end < len(line); end++ {
		switch {
		case line[end] == '\\':
			end++
		case line[end] == '`':
			return nil // a code span begins: the dollar is one
		case line[end] == '$':
			if end == 1 || isSpace(line[end-1]) || end+1 < len(line) && isWord(line[end+1]) {
				return nil
			}
			block.Advance(end + 1)
			return &formula{tex: line[1:end]}
		}
	}
	return nil
}

func isWord(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func renderFormula(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*formula)
		writeFormula(w, string(n.tex), n.display)
	}
	return ast.WalkSkipChildren, nil
}

func writeFormula(w util.BufWriter, tex string, display bool) {
	class := "inline"
	if display {
		class = "display"
	}
	_, _ = w.WriteString(`<span class="math ` + class + `">` + html.EscapeString(tex) + `</span>`)
}

// displayFormula is a block between lines of two dollars.
type displayFormula struct {
	ast.BaseBlock
	closed bool
}

func (*displayFormula) Kind() ast.NodeKind              { return kindDisplay }
func (n *displayFormula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
func (*displayFormula) IsRaw() bool                     { return true }

type formulaBlocks struct{}

func (formulaBlocks) Trigger() []byte { return []byte{'$'} }

// Open begins a block at a line that starts with $$ and does not end the formula in the same line.
func (formulaBlocks) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	trimmed := bytes.TrimLeft(line, " ")
	if !bytes.HasPrefix(trimmed, []byte("$$")) {
		return nil, parser.NoChildren
	}
	rest := bytes.TrimSpace(trimmed[2:])
	node := &displayFormula{}
	start := segment.Start + len(line) - len(trimmed) + 2
	if end := bytes.Index(rest, []byte("$$")); end >= 0 {
		if end != len(rest)-2 || end == 0 {
			return nil, parser.NoChildren // text follows: a formula in a line
		}
		stop := start + bytes.LastIndex(trimmed[2:], []byte("$$"))
		node.Lines().Append(text.NewSegment(start, stop))
		node.closed = true
	} else if len(rest) > 0 {
		node.Lines().Append(text.NewSegment(start, segment.Stop))
	}
	reader.Advance(segment.Len() - 1)
	return node, parser.NoChildren
}

// Continue takes lines until one has the closing dollars.
func (formulaBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*displayFormula)
	if n.closed {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	if end := bytes.Index(line, []byte("$$")); end >= 0 {
		if end > 0 {
			n.Lines().Append(text.NewSegment(segment.Start, segment.Start+end))
		}
		n.closed = true
		reader.Advance(segment.Len() - 1)
		return parser.Close
	}
	n.Lines().Append(segment)
	reader.Advance(segment.Len() - 1)
	return parser.Continue | parser.NoChildren
}

func (formulaBlocks) Close(ast.Node, text.Reader, parser.Context) {}
func (formulaBlocks) CanInterruptParagraph() bool                 { return true }
func (formulaBlocks) CanAcceptIndentedLine() bool                 { return false }

func renderDisplay(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var tex bytes.Buffer
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		tex.Write(line.Value(source))
	}
	_, _ = w.WriteString("<div>")
	writeFormula(w, string(bytes.TrimSpace(tex.Bytes())), true)
	_, _ = w.WriteString("</div>\n")
	return ast.WalkSkipChildren, nil
}
