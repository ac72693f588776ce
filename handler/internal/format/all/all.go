// Package all lists the formats that decant reads, explicitly and in a fixed order.
//
// A new format is one folder under format, one line here and one folder under tests/corpus.
package all

import (
	"slices"

	"decant/handler/internal/format"
	"decant/handler/internal/format/archive"
	"decant/handler/internal/format/asciidoc"
	"decant/handler/internal/format/code"
	"decant/handler/internal/format/csv"
	"decant/handler/internal/format/docling"
	"decant/handler/internal/format/docx"
	"decant/handler/internal/format/eml"
	"decant/handler/internal/format/epub"
	"decant/handler/internal/format/fb2"
	"decant/handler/internal/format/html"
	"decant/handler/internal/format/ics"
	"decant/handler/internal/format/image"
	"decant/handler/internal/format/ipynb"
	"decant/handler/internal/format/jsonfmt"
	"decant/handler/internal/format/latex"
	"decant/handler/internal/format/legacy"
	"decant/handler/internal/format/markdown"
	"decant/handler/internal/format/mbox"
	"decant/handler/internal/format/mhtml"
	"decant/handler/internal/format/msg"
	"decant/handler/internal/format/odp"
	"decant/handler/internal/format/ods"
	"decant/handler/internal/format/odt"
	"decant/handler/internal/format/pdf"
	"decant/handler/internal/format/pptx"
	"decant/handler/internal/format/rst"
	"decant/handler/internal/format/rtf"
	"decant/handler/internal/format/subtitle"
	"decant/handler/internal/format/text"
	"decant/handler/internal/format/xlsx"
	"decant/handler/internal/format/xmlfmt"
)

// Options are what single formats need to know.
type Options struct {
	PDFCache string // folder of the compiled PDF engine; empty means none
}

// Formats lists every format. The order decides between equal detection scores.
func Formats(options Options) []format.Format {
	return slices.Concat(documents(options), legacy.Formats(), pictures(), texts())
}

// documents are formats with a structure of their own.
func documents(options Options) []format.Format {
	return []format.Format{
		pdf.Format(pdf.Options{CacheDir: options.PDFCache}),
		docx.Format(),
		odt.Format(),
		rtf.Format(),
		epub.Format(),
		fb2.Format(),
		xlsx.Format(),
		pptx.Format(),
		msg.Format(),
		msg.TNEF(),
		archive.Zip(),
		archive.Tar(),
		archive.Packed(),
		archive.SevenZip(),
		ods.Format(),
		odp.Format(),
	}
}

// pictures are formats without text.
func pictures() []format.Format { return image.Formats() }

// texts are formats that are written in characters; plain text, which takes any of them, comes last.
func texts() []format.Format {
	return []format.Format{
		html.Format(),
		mhtml.Format(),
		ipynb.Format(),
		xmlfmt.Format(),
		subtitle.VTT(),
		subtitle.SRT(),
		mbox.Format(),
		eml.Format(),
		ics.Calendar(),
		ics.Contacts(),
		jsonfmt.JSON(),
		docling.Format(),
		jsonfmt.YAML(),
		csv.Format(),
		latex.Format(),
		markdown.Format(),
		asciidoc.Format(),
		rst.Format(),
		code.Format(),
		text.Format(),
	}
}
