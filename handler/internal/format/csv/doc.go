// Package csv reads tables that are text: values parted by commas, semicolons, tabs, bars and the like.
//
// The dialect (delimiter, quotation mark, escape) is found from rows of the whole text (sniff.go), not from its first line.
// The reader (reader.go) takes what encoding/csv refuses: rows of different length, bare and unclosed quotation marks, any line
// end. Ragged rows widen the table; nothing is cut. A text whose cells would not fit into memory is kept as text, in blocks of lines.
package csv
