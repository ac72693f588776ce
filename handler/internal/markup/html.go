package markup

import (
	"html"
	"strconv"
	"strings"
)

// Heading is a heading of a level from 1 to 6 with HTML in it.
func Heading(level int, text string) string {
	tag := "h" + strconv.Itoa(level)
	return "<" + tag + ">" + text + "</" + tag + ">\n"
}

// Code is a listing in a language; "" where it is not known.
func Code(lines []string, language string) string {
	return `<pre data-lang="` + html.EscapeString(language) + `">` + "\n" + html.EscapeString(strings.Join(lines, "\n")) + "</pre>\n"
}

// Link is a link with a text.
func Link(address, text string) string {
	return `<a href="` + html.EscapeString(address) + `">` + html.EscapeString(text) + "</a>"
}

// Formula is a formula that stands by itself.
func Formula(text string) string {
	return `<div class="math display">` + html.EscapeString(text) + "</div>\n"
}

// InlineFormula is a formula in a text.
func InlineFormula(text string) string {
	return `<span class="math inline">` + html.EscapeString(text) + "</span>"
}

// Admonition is a note, warning or the like: a title and a body, both HTML.
func Admonition(title, body string) string {
	return `<div class="admonition"><p class="admonition-title">` + title + "</p>" + body + "</div>\n"
}

// Image is a picture.
func Image(source, alt string) string {
	return `<img src="` + html.EscapeString(source) + `" alt="` + html.EscapeString(alt) + `">`
}

// Note is a footnote with its label and HTML.
type Note struct{ Label, HTML string }

// Notes is the list of footnotes, to which NoteLink leads.
func Notes(notes []Note) string {
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<section class="footnotes"><ol>`)
	for _, n := range notes {
		b.WriteString(`<li id="fn` + html.EscapeString(n.Label) + `">` + n.HTML + "</li>")
	}
	b.WriteString("</ol></section>")
	return b.String()
}

// NoteLink leads to a footnote.
func NoteLink(label string) string { return Link("#fn"+label, label) }
