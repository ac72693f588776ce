// Package rst reads reStructuredText: sections by their underlines, lists, tables (grid, simple, list and csv tables), literal blocks,
// directives for code, pictures, admonitions and formulas, footnotes, and inline looks, links and roles.
//
// The parser works on lines with an indent (parser.go, blocks.go, tables.go) and writes HTML, which htmldoc reads.
// Nothing is included from other files and no directive runs anything.
package rst
