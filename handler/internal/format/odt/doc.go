// Package odt reads OpenDocument texts: odt, ott, and the flat form fodt. The work is done by package odf, which all OpenDocument
// formats share.
package odt
