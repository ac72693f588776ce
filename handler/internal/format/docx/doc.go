// Package docx reads Word documents: docx, docm, dotx (ECMA-376, WordprocessingML).
//
// Parse streams over the children of the body (body.go); each paragraph or table is read as a small tree and becomes blocks:
//
//	flow.go       a story (body, cell, note, text box): paragraphs and tables in, blocks out
//	paragraph.go  what a paragraph is: heading, list item, code, caption, text
//	line.go       the inlines of a paragraph; run.go its runs; field.go its fields
//	list.go       numbered paragraphs → nested lists
//	styles.go     styles with inheritance; numbering.go, counter.go, label.go: numbers as printed
//	table.go      tables with spans
//	drawing.go    pictures, text boxes, charts, SmartArt
//	notes.go comments.go revisions.go furniture.go   what is not body
package docx
