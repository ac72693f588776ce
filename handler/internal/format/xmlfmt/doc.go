// Package xmlfmt reads XML: scientific articles (JATS), DocBook, feeds (RSS, Atom), and any other XML.
//
// tree.go parses without ever looking outside of the file: no external entities, bounded depth. A vocabulary (vocabulary.go) says what its
// elements are in HTML; rewrite.go makes that HTML tree, and htmldoc reads it, so tables, lists, notes and MathML are read by the same
// code as everywhere else. XML of an unknown kind is text when it has text between its tags, and data otherwise (data.go).
package xmlfmt
