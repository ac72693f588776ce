// Command decant turns files into Markdown, a structured document and chunks: on Azure as a Functions custom handler, on a laptop,
// or as a plain command. See `decant --help`.
package main

import (
	"os"

	"decant/handler/internal/app"
)

func main() {
	os.Exit(app.Main(os.Args[1:], app.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
