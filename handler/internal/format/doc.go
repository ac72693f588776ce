// Package format says what a format is, what a parser gets and what it must obey, and finds the format of a file.
//
// A parser is one function. It reads the document through Input (a limit stands in front of everything), reports progress,
// and gives a doc.Document or a fault. It never panics on bad input, never writes outside Input.Files, starts no process,
// opens no network connection, and stops when its context ends. What it drops, guesses or repairs it says with Document.Warn.
//
// Each format lives in its own folder below this one and exports `func Format() format.Format`; format/all lists them.
package format
