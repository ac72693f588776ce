package mdtext

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"decant/handler/internal/lazyregexp"
)

// rawHTML writes HTML inside Markdown as it is, except tags that would swallow the rest of the page when nobody closes them
// (GFM 6.11): they are shown as text.
type rawHTML struct{}

func (rawHTML) Extend(m goldmark.Markdown) {
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(rawHTML{}, 100)))
}

func (rawHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, renderRaw)
	r.Register(ast.KindHTMLBlock, renderHTMLBlock)
}

var swallowing = lazyregexp.New(`(?i)<(/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)[\s/>])`)

func renderRaw(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	n := node.(*ast.RawHTML)
	paired := isPaired(n, source)
	for i := range n.Segments.Len() {
		segment := n.Segments.At(i)
		text := segment.Value(source)
		if !paired {
			text = swallowing.ReplaceAll(text, []byte("&lt;$1"))
		}
		_, _ = w.Write(text)
	}
	return ast.WalkSkipChildren, nil
}

var scriptTag = lazyregexp.New(`(?i)^<(/?)(script|style)[\s/>]`)

// isPaired tells whether a script or style in a line is closed in the same line: then it swallows nothing else, and is left out whole.
func isPaired(n *ast.RawHTML, source []byte) bool {
	own := tagOf(n, source)
	if own == nil {
		return false
	}
	step := ast.Node.NextSibling
	if len(own[1]) > 0 {
		step = ast.Node.PreviousSibling
	}
	for other := step(n); other != nil; other = step(other) {
		if raw, ok := other.(*ast.RawHTML); ok {
			if tag := tagOf(raw, source); tag != nil && bytes.EqualFold(tag[2], own[2]) && len(tag[1]) != len(own[1]) {
				return true
			}
		}
	}
	return false
}

func tagOf(n *ast.RawHTML, source []byte) [][]byte {
	if n.Segments.Len() == 0 {
		return nil
	}
	first := n.Segments.At(0)
	return scriptTag.FindSubmatch(first.Value(source))
}

func renderHTMLBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.HTMLBlock)
	write := func(text []byte) {
		if n.HTMLBlockType != ast.HTMLBlockType1 { // type 1 is closed by its own end tag, and left out by htmldoc
			text = swallowing.ReplaceAll(text, []byte("&lt;$1"))
		}
		_, _ = w.Write(text)
	}
	if entering {
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			write(line.Value(source))
		}
	} else if n.HasClosure() {
		write(n.ClosureLine.Value(source))
	}
	return ast.WalkContinue, nil
}
