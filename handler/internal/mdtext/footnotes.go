package mdtext

import (
	"html"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// footnotes reads footnotes as goldmark does, but keeps their labels: [^e1] stays e1 instead of becoming a number.
type footnotes struct{}

func (footnotes) Extend(m goldmark.Markdown) {
	extension.Footnote.Extend(m)
	m.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(footnotes{}, 1000)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(footnotes{}, 100)))
}

// Transform gives every reference the label of its note.
func (footnotes) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	labels := map[int]string{}
	var links []*east.FootnoteLink
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *east.Footnote:
				labels[n.Index] = string(n.Ref)
			case *east.FootnoteLink:
				links = append(links, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, link := range links {
		link.SetAttributeString("label", []byte(labels[link.Index]))
	}
}

func (footnotes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(east.KindFootnoteLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			label, _ := n.AttributeString("label")
			name, _ := label.([]byte)
			_, _ = w.WriteString(`<a href="#fn:` + html.EscapeString(string(name)) + `">` + html.EscapeString(string(name)) + "</a>")
		}
		return ast.WalkContinue, nil
	})
	r.Register(east.KindFootnoteBacklink, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
	r.Register(east.KindFootnote, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(`<li id="fn:` + html.EscapeString(string(n.(*east.Footnote).Ref)) + `">`)
		} else {
			_, _ = w.WriteString("</li>\n")
		}
		return ast.WalkContinue, nil
	})
	r.Register(east.KindFootnoteList, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(`<section class="footnotes"><ol>`)
		} else {
			_, _ = w.WriteString("</ol></section>\n")
		}
		return ast.WalkContinue, nil
	})
}
