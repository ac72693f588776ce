package markdown

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/mdtext"
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
var signs = []*lazyregexp.Regexp{
	lazyregexp.New("(?m)^#{1,6} \\S"),
	lazyregexp.New("(?m)^(```|~~~)"),
	lazyregexp.New(`(?m)^\|? *:?-{3,}:? *\|`),
	lazyregexp.New(`\[[^\]\n]+\]\([^)\n]+\)`),
	lazyregexp.New(`\*\*[^*\n]+\*\*`),
	lazyregexp.New(`(?m)^[-*] \[[ xX]\] `),
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
	line := strings.Count(text[:len(text)-len(body)], "\n")
	for i, piece := range pieces(body) {
		in.Progress(i+1, 0)
		if err := mdtext.Convert(ctx, in, d, piece, mdtext.Options{FirstLine: line}); err != nil {
			return nil, err
		}
		line += strings.Count(piece, "\n")
	}
	return d, nil
}

// pieceBytes is the size from which on a text is cut at a heading, so that a large text needs memory for its pieces only.
const pieceBytes = 4 << 20

var headingLine = lazyregexp.New(`\n\n(#{1,3} )`)

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
