// Package markup is the frame of the parsers of line-based markup, AsciiDoc and reStructuredText: it knows such a text by its signs,
// walks over its lines (Cursor), makes HTML of the text in a line (Inline) and of what all markup has, and lets htmldoc make the
// document of that (Parse). What a line means is each parser's own.
package markup
