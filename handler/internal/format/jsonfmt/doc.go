// Package jsonfmt reads JSON, NDJSON (one value a line) and YAML.
//
// Data becomes what a person would make of it: a list of similar records is a table, an object is a list of names and values with
// headings for what is inside, text keeps its lines. Order is that of the file. What has no such form, or is too large for it,
// stays a code block, whole.
package jsonfmt
