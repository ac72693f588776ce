// Package mhtml reads saved web pages (MHTML, RFC 2557): a message whose root part is a page and whose other parts are what the page shows.
// Package mail takes the message apart, htmldoc reads the page.
package mhtml
