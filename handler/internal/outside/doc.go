// Package outside lets programs that are not ours read documents: LibreOffice for legacy Office files, or whatever the settings name
// (docs/outside-converters.md).
//
// A Converter is one entry of the settings (converter.go, load.go; libreoffice.go has those that are built in). Find looks which are
// installed (find.go). A Router (router.go) stands between the pool and the capped children: a child that finds out that a document
// belongs to an outside converter answers so, the converter's program reads it in a child of its own kind, and what comes back is
// read by our own parsers in a third child, as it is trusted no more than the document.
//
// The converter's child is this same binary again (launch.go, file.go, worker.go): under the caps, the deadline and the watch of
// package child it starts the program in a cage, hands it a copy of the document, and takes one file back.
package outside
