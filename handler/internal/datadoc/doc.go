// Package datadoc makes readable blocks of data: what a person would make of it. A list of similar records is a table, an object
// is a list of names and values, then headings for what holds more, text keeps its lines.
// It is shared by JSON, YAML and XML that is data rather than text.
package datadoc
