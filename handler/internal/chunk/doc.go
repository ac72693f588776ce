// Package chunk cuts a document into pieces that fit a token limit, for search and for language models.
//
// The promise: the final text of every chunk has 1 to MaxTokens tokens; the bodies of the chunks are the document's text, in order,
// nothing lost and nothing twice; every chunk says where it comes from; and it ends, in time linear in the text.
//
// How it is kept. A body is a range of document.md (markdown.Output), so that cutting is choosing ranges. collect.go lists the
// pieces that may be cut apart: headings, paragraphs, list items, tables. pack.go fills chunks with pieces, at the highest border that
// fits; fill.go cuts what is too long at sentences, words, graphemes; rows.go cuts tables by row and cell. meter.go counts any range
// exactly without counting the text again. context.go puts the heading path and table headers in front, within the limit.
// join.go brings small neighbours together, and place.go says where a range comes from.
package chunk
