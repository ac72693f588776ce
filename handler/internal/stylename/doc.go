// Package stylename tells from the names of styles what a text is, where its format has no better word for it: Word, OpenDocument and RTF
// all say "quote", "code" or "caption" by the name of a style only.
//
//	role := stylename.Of("my code", "preformatted text") // a style's own name, then those that it inherits from: stylename.Code
//
// The names are those of Word, LibreOffice, Google Docs and pandoc, and of templates; Word keeps its own in English in files of any
// language, other writers translate them.
package stylename
