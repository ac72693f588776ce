// Package fb2 reads FictionBook 2 books: one XML file, or one in a zip.
//
// Pictures stand at the end of the file in base64, so the file is read twice: first the pictures and notes, then the text.
package fb2
