// Package local keeps everything on a folder: source files, results, records, chunks and the cache.
// It is the embedded default, with nothing to install, and safe for several processes on one machine:
// every read-modify-write holds a file lock, every write is a rename.
//
// Below the results folder, `<path>/` holds a document's results flat (document.md, …, manifest.json) and `.decant/`
// what decant keeps for itself.
package local
