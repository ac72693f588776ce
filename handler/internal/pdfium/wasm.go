package pdfium

import (
	_ "unsafe" // for go:linkname

	_ "github.com/klippa-app/go-pdfium/webassembly" // links the embedded module into the binary
)

// module is pdfium.wasm as go-pdfium embeds it. The package that holds it is internal to go-pdfium, hence the link by name:
// a copy in this repository would be 6 MB and could drift from the pinned version.
//
//go:linkname module github.com/klippa-app/go-pdfium/internal/pdfium_wasm.Module
var module []byte
