package odf

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// maxProperties bounds the user-defined fields that are kept.
const maxProperties = 200

// readMetadata fills in what office:meta says (part 3, 4.3).
func readMetadata(meta *xmltree.Node, m *doc.Metadata) {
	text := func(name string) string { return strings.TrimSpace(meta.Child(name).AllText()) }
	m.Title, m.Subject, m.Language = text("dc:title"), text("dc:subject"), text("dc:language")
	m.Created, m.Modified = text("meta:creation-date"), text("dc:date")
	m.Application = text("meta:generator")
	author := text("meta:initial-creator")
	if author == "" {
		author = text("dc:creator")
	}
	if author != "" {
		m.Authors = []string{author}
	}
	for _, n := range meta.All("meta:keyword") {
		m.Keywords = append(m.Keywords, split(n.AllText())...)
	}
	for _, n := range meta.Child("meta:keywords").All("meta:keyword") {
		m.Keywords = append(m.Keywords, split(n.AllText())...)
	}
	if m.Language != "" {
		m.Confidence = 1
	}
	other := func(key, value string) {
		if value = strings.TrimSpace(value); value != "" && key != "" && len(m.Other) < maxProperties {
			if m.Other == nil {
				m.Other = map[string]string{}
			}
			m.Other[strings.ToLower(key)] = value
		}
	}
	other("description", text("dc:description"))
	other("last modified by", text("dc:creator"))
	for _, n := range meta.All("meta:user-defined") {
		other(n.Attr("meta:name"), n.AllText())
	}
	m.Sources = map[string]string{}
	for name, set := range map[string]bool{"title": m.Title != "", "authors": m.Authors != nil, "created": m.Created != "", "modified": m.Modified != "",
		"subject": m.Subject != "", "keywords": m.Keywords != nil, "language": m.Language != ""} {
		if set {
			m.Sources[name] = "meta.xml"
		}
	}
}

func split(text string) []string {
	var parts []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
