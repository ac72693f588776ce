// Package markdown writes a document as GitHub Flavored Markdown, with a map from every byte back to the model.
//
// Render walks the document once and gives an Output: the text, its Nodes (which bytes are which block, table row and cell)
// and its Spans (which bytes are which bytes of a block's plain text). The chunker cuts the text by these ranges,
// so that a chunk's body is a piece of document.md by construction.
//
// What becomes what, one file each: blocks (block.go, list.go, group.go), tables (table.go decides; pipe.go and html.go write),
// inlines and marks (inline.go, mark.go, link.go), notes, comments and hidden content (extra.go), escapes (escape.go, line.go).
//
// Policies: heading levels stay as the document has them (deeper than six becomes six); a sheet, slide or chapter without
// a heading of its own gets its label as "## Label"; a table is a pipe table when it has at most one header row, no spans and
// only text in its cells, else an HTML table; a table without header rows has its first row where GFM wants a header.
package markdown
