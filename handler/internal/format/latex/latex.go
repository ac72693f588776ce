package latex

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// Format describes LaTeX.
func Format() format.Format {
	return format.Format{
		Name: "latex", Title: "LaTeX",
		Extensions: []string{".tex", ".latex", ".ltx"}, MediaTypes: []string{"application/x-latex", "text/x-tex"},
		Description: "sections, lists, tables, figures, footnotes, formulas kept as LaTeX",
		Match:       match,
		Parse:       parse,
	}
}

var (
	// start is a class, behind nothing but comments and commands: other files quote LaTeX too.
	start    = lazyregexp.New(`^\x{FEFF}?(?:[ \t]*(?:%[^\n]*|\\[^\n]*)?\r?\n)*?[ \t]*\\(?:documentclass|documentstyle)\s*[\[{]`)
	commands = lazyregexp.New(`\\(?:begin|end|section|subsection|chapter|usepackage|textbf|emph|cite|label|item)\b`)
)

func match(h *format.Head) int {
	command := strings.Contains(h.Text, `\`) // else no expression need be compiled
	switch {
	case h.Text == "":
		return 0
	case command && start.MatchString(h.Text):
		return 80
	case h.HasExtension(".tex", ".latex", ".ltx"):
		return format.Plausible + 5
	case command && len(commands.FindAllStringIndex(h.Text, 12)) >= 10:
		return 15
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
		return d, textfile.Lean(ctx, in, d, text, "latex")
	}
	w := newWriter(text)
	page := w.document()
	w.describe(d)
	root, _ := htmldoc.Tree(page)
	return d, htmldoc.ConvertTree(ctx, d, root, text, htmldoc.Options{Files: in.Files, Lines: true})
}

func (w *writer) describe(d *doc.Document) {
	d.Metadata.Sources = map[string]string{}
	if w.title != "" {
		d.Metadata.Title, d.Metadata.Sources["title"] = stripTags(noteMark.ReplaceAllString(w.title, "")), "latex"
	}
	if w.date != "" {
		d.Metadata.Created = stripTags(w.date)
	}
	for _, author := range strings.Split(w.author, andMark) {
		author, _, _ = strings.Cut(author, "<br>") // what follows is where the author works
		if author = strings.TrimSpace(stripTags(noteMark.ReplaceAllString(author, ""))); author != "" && len(d.Metadata.Authors) < 100 {
			d.Metadata.Authors = append(d.Metadata.Authors, author)
		}
	}
	if w.included > 0 {
		d.Warn("external_reference", "An included file was not read: other files are not part of the document.")
	}
	if w.tooDeep {
		d.Warn("nesting_flattened", "Groups were nested more deeply than is followed; the innermost were left out.")
	}
}

// noteMark is the number of a footnote.
var noteMark = lazyregexp.New(`<a href="#fn[^>]*>[^<]*</a>`)

var anyTag = lazyregexp.New(`<[^>]*>`)

func stripTags(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#34;", `"`, "&#39;", "'").Replace(anyTag.ReplaceAllString(s, ""))
}
