// Package html reads HTML and XHTML pages: the whole page, or with Options.HTML "main" its main content.
// The work is done by htmldoc; this package finds the encoding, the metadata and the page's own address.
package html
