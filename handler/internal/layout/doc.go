// Package layout turns placed text, rules and pictures into a document: words, lines, columns, reading order, paragraphs,
// headings, lists, tables and furniture. It knows nothing of PDF; whatever can say "this glyph stands here" can use it.
//
//	b := layout.NewBuilder()
//	b.Add(page)   // for each page, in order
//	result := b.Finish()
//
// A page goes through these steps, one file each:
//
//	word.go       glyphs → words (gaps, letter-spacing, right-to-left, superscripts)
//	line.go       words → segments of one base line
//	table*.go     rules and alignment → tables; their words are taken out
//	edge.go       where a column begins within a segment
//	column.go     segments → regions in reading order, by the gutters between them
//	paragraph.go  regions → blocks of lines
//
// and the document, once all pages are there, through:
//
//	reversed.go   right-to-left words that stand backwards
//	furniture.go  what repeats at the edges of pages
//	formula.go    displayed formulas
//	note.go       footnotes and their marks
//	heading.go    which blocks are headings, of which level
//	byline.go     the lines of authors below the title
//	quote.go      quotations, set in from both sides
//	list.go       bullets and printed labels → nested lists
//	build.go      blocks → doc.Blocks, each line with its place
//
// Coordinates are points from the top left corner of the page as it is seen. Distances are judged by the size of the type
// beside them, never in absolute points, so that a poster and a pocket book read alike.
package layout
