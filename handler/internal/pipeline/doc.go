// Package pipeline is the journey of one document, from a job to its results and its record:
// claim it in the ledger, fetch the file, look for results of the same bytes, convert, convert what is inside it,
// write the results, publish them, record the end.
//
// It knows no Azure, no process and no format; ports.go says what it needs from those that do. Everything it does may be
// interrupted at any point and done again: files of a generation are invisible until its manifest is written, and whoever
// lost the claim cannot publish any more.
package pipeline
