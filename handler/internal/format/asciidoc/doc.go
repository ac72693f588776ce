// Package asciidoc reads AsciiDoc: header and attributes, sections, lists with continuations, tables with spans, blocks with their
// delimiters, admonitions, footnotes, and inline looks, links and formulas.
//
// blocks.go and lists.go write HTML for what they find line by line, inline.go for what is in a line; htmldoc reads it, so that the
// rest is done by the same code as everywhere else. Nothing is included from other files.
package asciidoc
