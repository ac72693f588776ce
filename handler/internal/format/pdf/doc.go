// Package pdf reads PDF files: PDFium gives glyphs, rules and pictures, package layout makes a document of them.
//
// Pages are read one after the other and closed at once, so that memory follows the text, not the page count.
// A page that cannot be read costs only itself. What a reader of the page would not see (invisible, tiny, off the page,
// in a switched-off layer) is kept apart with its reason; a scanner's text under the picture of its page is kept.
package pdf
