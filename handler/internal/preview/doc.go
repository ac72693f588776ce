// Package preview writes one HTML page that shows how a document was cut: every chunk with its context, body, tokens and place.
//
// The page holds everything it needs and loads nothing. A click on a chunk, or the arrow keys, shows where it comes from:
// on the picture of its page where there is one, else on an outline of the page.
package preview
