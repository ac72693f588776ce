package markdown

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/textfile"
)

// Format describes Markdown.
func Format() format.Format {
	return format.Format{
		Name: "markdown", Title: "Markdown",
		Extensions:  []string{".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"},
		MediaTypes:  []string{"text/markdown"},
		Description: "GitHub's Markdown with front matter, footnotes, formulas, definition lists and HTML inside",
		Match:       match,
		Parse:       parse,
	}
}

// signs are lines that plain text seldom has and Markdown often.
var signs = []*regexp.Regexp{
	regexp.MustCompile("(?m)^#{1,6} \\S"),
	regexp.MustCompile("(?m)^(```|~~~)"),
	regexp.MustCompile(`(?m)^\|? *:?-{3,}:? *\|`),
	regexp.MustCompile(`\[[^\]\n]+\]\([^)\n]+\)`),
	regexp.MustCompile(`\*\*[^*\n]+\*\*`),
	regexp.MustCompile(`(?m)^[-*] \[[ xX]\] `),
}

func match(h *format.Head) int {
	if h.Text == "" {
		return 0
	}
	if h.HasExtension(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd") {
		return format.Plausible + 5
	}
	found := 0
	for _, sign := range signs {
		if sign.MatchString(h.Text) {
			found++
		}
	}
	if found >= 3 {
		return 12
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, "")
	}
	body := frontMatter(d, text)
	engine := newEngine()
	line := strings.Count(text[:len(text)-len(body)], "\n")
	for i, piece := range pieces(body) {
		in.Progress(i+1, 0)
		if err := convert(ctx, engine, in, d, piece, line); err != nil {
			return nil, err
		}
		line += strings.Count(piece, "\n")
	}
	labelAlerts(d.Blocks)
	return d, nil
}

func newEngine() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, formulas{}, rawHTML{}),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()),
		goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()),
	)
}

func convert(ctx context.Context, engine goldmark.Markdown, in *format.Input, d *doc.Document, text string, line int) error {
	var out bytes.Buffer
	if err := engine.Convert([]byte(text), &out); err != nil {
		return fmt.Errorf("read markdown: %w", err)
	}
	root, flattened := htmldoc.Tree(out.String())
	if flattened {
		d.Warn("nesting_flattened", "Elements were nested more deeply than can be followed; the innermost containers were left out, their content was kept.")
	}
	prefix := ""
	if line > 0 && len(d.Notes) > 0 {
		prefix = fmt.Sprintf("%d-", line)
	}
	return htmldoc.ConvertTree(ctx, d, root, text, htmldoc.Options{
		Files: in.Files, Hidden: in.Options.Hidden, Lines: true, FirstLine: line, NotePrefix: prefix,
	})
}

// pieceBytes is the size from which on a text is cut at a heading, so that a large text needs memory for its pieces only.
const pieceBytes = 4 << 20

var headingLine = regexp.MustCompile(`\n\n(#{1,3} )`)

// pieces cuts a large text before headings. A heading inside a fenced block is none; such a block may only be cut when it is huge.
func pieces(text string) []string {
	var list []string
	for len(text) > pieceBytes {
		cut := -1
		for _, at := range headingLine.FindAllStringIndex(text[pieceBytes:], 64) {
			if strings.Count(text[:pieceBytes+at[0]], "\n```")%2 == 0 {
				cut = pieceBytes + at[0] + 2
				break
			}
		}
		if cut < 0 {
			break
		}
		list = append(list, text[:cut])
		text = text[cut:]
	}
	return append(list, text)
}

var alert = regexp.MustCompile(`^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*`)

// labelAlerts reads GitHub's alerts: quotes whose first line is [!NOTE] and the like.
func labelAlerts(blocks []doc.Block) {
	doc.Walk(blocks, func(b *doc.Block) bool {
		if b.Kind != doc.Quote || len(b.Children) == 0 || len(b.Children[0].Inlines) == 0 {
			return true
		}
		first := &b.Children[0].Inlines[0]
		m := alert.FindStringSubmatch(first.Text)
		if m == nil {
			return true
		}
		b.Label = m[1][:1] + strings.ToLower(m[1][1:])
		first.Text = first.Text[len(m[0]):]
		if first.Text == "" {
			b.Children[0].Inlines = b.Children[0].Inlines[1:]
		}
		if len(b.Children[0].Inlines) == 0 {
			b.Children = b.Children[1:]
		}
		return true
	})
}
