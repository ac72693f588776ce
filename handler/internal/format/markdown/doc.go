// Package markdown reads Markdown: CommonMark with the extensions of GitHub (tables, tasks, strikethrough, bare links, alerts),
// footnotes, definition lists, formulas between dollars, and front matter.
//
// goldmark parses and writes HTML, htmldoc reads it: so HTML inside Markdown (tables with spans, details, sub and sup) is read by the
// same code as everywhere else, and Markdown around and inside of it stays in one tree, as it does in a browser.
package markdown
