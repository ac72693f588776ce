// Package docling writes a document as DoclingDocument JSON, so that docling-core and the tools built on it can read it, and reads
// what docling writes.
//
// The schema says less than doc.Document: it has no inline marks, and its tables hold text only. What it has no place for
// (warnings, hidden content, values and formulas of cells, annotations) is left out; document.json has it.
package docling
