// Package facts fills in what a document says about itself only in its text: title, language, identifiers.
//
// It runs once, after the parser. What the document declares is believed and never overwritten; where each value came from
// is in Metadata.Sources.
package facts
