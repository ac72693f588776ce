// Package pdfium is a thin binding to PDFium, compiled to WebAssembly and run by wazero: no cgo, no library to install.
//
// The module comes from github.com/klippa-app/go-pdfium at its pinned version. Compiling it takes about two seconds and
// 380 MB, so Warm compiles it once into a cache directory, outside any capped process; Start then loads native code from there
// in about 70 ms and 45 MB. The sandboxed module sees no file system, no network and no clock worth the name; it reads the
// document through a callback, block by block, so a large file is not held in memory.
//
//	engine, err := pdfium.Start(ctx, pdfium.Config{CacheDir: dir})
//	defer engine.Close()
//	document, err := engine.Open(file, size, "")
//	page := document.Page(0)
//	chars := page.Chars(nil)
//
// Calls do not return errors one by one. When the module traps (out of memory, a bug in it), the instance is dead: every later
// call gives zero values, and Engine.Err says why. Ask it after each page; Restart gives a fresh instance of the same code.
//
// Coordinates are PDFium's own: user space, origin at the bottom left, without /Rotate, /UserUnit or the crop box's offset.
// Page.Geometry has what is needed to place them on the page as it is seen. Other traps are noted at the functions.
// The package is not safe for concurrent use; give each goroutine its own Engine.
package pdfium
