// Package epub reads EPUB books, versions 2 and 3.
//
// The container names the package document (book.go), which lists the files (manifest) and their order (spine). Every file of the
// spine is a page of XHTML: package htmldoc reads it, and it becomes a chapter group labelled by the book's navigation (nav.go).
// Files that the spine marks as not linear come last.
package epub
