// Package odf opens OpenDocument files (OASIS OpenDocument 1.3), safely, and reads what text documents, presentations and
// spreadsheets share: styles, paragraphs, lists, tables, notes, frames, metadata.
//
//	p, err := odf.Open(in)                    // a zip or one flat XML file; an encrypted one is fault.Encrypted
//	r := odf.NewReader(ctx, in, p, document)  // metadata, styles
//	err = r.Stream("office:text", func(n *xmltree.Node) { flow.Add(n) }) // the children of the body, one at a time
//
// A Flow takes text elements (text:p, text:h, text:list, table:table, draw:frame ...) and gives blocks; Reader.Blocks does it for
// the content of one element: a cell, a text box, a note.
// XML names carry the prefixes of the standard, whatever the file uses.
package odf
