package docx

import (
	"context"
	"strings"

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
		Extensions: []string{".docx", ".docm", ".dotx", ".dotm"},
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

func match(h *format.Head) int {
	for _, name := range h.Members {
		if name == "word/document.xml" {
			return 95
		}
	}
	if h.ReadMember != nil && len(h.Members) > 0 {
		types := string(h.ReadMember("[Content_Types].xml"))
		if strings.Contains(types, "wordprocessingml.document.main") || strings.Contains(types, "wordprocessingml.template.main") || strings.Contains(types, "ms-word.") {
			return 90
		}
	}
	return 0
}

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
	if err := p.readBody(); err != nil {
		return nil, err
	}
	p.finish()
	return p.doc, nil
}
