// Package doc is the document model: what every parser makes and every renderer reads.
//
// A Document is metadata and a list of Blocks in reading order. A Block is a heading, a paragraph, a list, a table and so on;
// its text is a list of Inlines, flat, each with its marks. Every block carries Places: where in the source it stands
// (page and box, sheet and cells, slide, mail part, lines). What is not body is kept apart: Notes, Annotations, Furniture, Hidden.
// Whatever a parser leaves out, guesses or repairs is a Warning; together they are the loss report.
//
// Parsers build it, Finish numbers and tidies it, markdown and chunk read it. docs/document-model.md has an example for each format.
// The package imports nothing of decant.
package doc
