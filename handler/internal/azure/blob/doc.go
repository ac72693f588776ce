// Package blob keeps source files and results in Azure Blob Storage.
//
// Results of a document lie in the container `converted` at `<container>/<path>/`: the files of a generation in
// `<generation>/`, and `manifest.json` beside them, written last and only if no newer generation is there.
// `.cache/` in the same container says which documents have the results of which bytes and options.
package blob
