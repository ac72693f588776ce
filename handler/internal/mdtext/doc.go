// Package mdtext turns Markdown into blocks of the document model. It is shared by the formats that have Markdown inside:
// Markdown files and notebooks.
//
// goldmark parses (CommonMark, GitHub's extensions, footnotes, definition lists, formulas: formulas.go) and writes HTML, htmldoc reads it.
// So HTML inside Markdown (tables with spans, details, sub and sup) is read by the same code as everywhere else, and Markdown around
// and inside of it stays in one tree, as it does in a browser.
package mdtext
