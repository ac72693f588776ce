package docx

import (
	"context"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/ooxml"
)

// Format describes Word documents to the registry.
func Format() format.Format {
	return format.Format{
		Name:       "docx",
		Title:      "Word document",
		Extensions: extensions,
		MediaTypes: []string{
			"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
			"application/vnd.openxmlformats-officedocument.wordprocessingml.template",
			"application/vnd.ms-word.document.macroenabled.12",
			"application/vnd.ms-word.template.macroenabled.12",
		},
		Description: "headings by style and outline level, numbering as printed, tables with spans, notes, comments, tracked changes, text boxes, equations, charts, SmartArt, pictures",
		Match:       match,
		Parse:       Parse,
	}
}

func match(h *format.Head) int { return ooxml.Match(h, "word/document.xml", mainTypes, extensions) }

var mainTypes = []string{
	"wordprocessingml.document.main+xml", "wordprocessingml.template.main+xml",
	"ms-word.document.macroenabled.main+xml", "ms-word.template.macroenabledtemplate.main+xml",
}

var extensions = []string{".docx", ".docm", ".dotx", ".dotm"}

// Parse reads a Word document.
func Parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	pkg, err := ooxml.Open(in)
	if err != nil {
		return nil, err
	}
	main := pkg.Main()
	if main == "" {
		return nil, fault.New(fault.Corrupt, "The file is an Office package without a document in it.", nil)
	}
	p := newParser(ctx, in, pkg, main)
	p.readParts()
	if p.lost || pkg.CutOff() && len(pkg.Rels(main)) == 0 {
		return nil, fault.New(fault.Corrupt, "The file was cut off, and its styles, numbers or notes are missing. Upload it again, whole.", nil)
	}
	if err := p.readBody(); err != nil {
		return nil, err
	}
	p.finish()
	return p.doc, nil
}
