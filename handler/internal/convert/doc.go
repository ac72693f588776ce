// Package convert turns one file into results: it detects the format, parses into the model, renders Markdown,
// cuts chunks, and writes the result files into a folder.
//
// It is pure: one process, no network, no storage, no limits of its own beside those the request carries.
// The child process calls it; nothing stops a test or a benchmark from calling it directly.
package convert
