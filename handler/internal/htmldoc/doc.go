// Package htmldoc turns HTML into blocks of the document model. It is shared by every format that has HTML inside:
// html, mhtml, mail, EPUB, notebooks, feeds, and Markdown with its raw HTML.
//
// Convert parses as browsers do (HTML5 recovery, at any nesting depth: tree.go) and walks the tree once (flow.go).
// Inline elements become marks on text (inline.go), block elements become blocks (block.go, list.go, table.go), MathML becomes
// LaTeX (mathml.go). Scripts, styles and event handlers never reach the document; links with unsafe targets keep their text only
// (link.go); what a reader does not see goes to Document.Hidden (hidden.go); pictures go through Options.Files (picture.go).
// It opens no connection and no file: what a page refers to is given by Options.Resource or stays a reference.
package htmldoc
