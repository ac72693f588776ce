package ooxml

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// maxProperties bounds the custom properties that are kept.
const maxProperties = 200

// Properties fills in what the package's core, extended and custom properties say (ECMA-376 part 2, 8; part 1, 22.2).
func (p *Package) Properties(m *doc.Metadata) {
	m.Encrypted = p.encrypted
	rels := p.Rels("")
	if root := p.propertyTree(rels.First("core-properties"), "docProps/core.xml"); root != nil {
		coreProperties(root, m)
	}
	if root := p.propertyTree(first(rels.First("extended-properties"), rels.First("extendedProperties")), "docProps/app.xml"); root != nil {
		m.Application = field(root, "Application")
		setOther(m, "company", field(root, "Company"))
		setOther(m, "manager", field(root, "Manager"))
	}
	if root := p.propertyTree(first(rels.First("custom-properties"), rels.First("customProperties")), "docProps/custom.xml"); root != nil {
		for i, property := range root.All("property") {
			if i < maxProperties {
				setOther(m, strings.ToLower(property.Attr("name")), strings.TrimSpace(property.AllText()))
			}
		}
	}
}

func (p *Package) propertyTree(part, usual string) *xmltree.Node {
	if part == "" {
		part = usual
	}
	root, err := p.Tree(part)
	if err != nil {
		return nil
	}
	return root
}

func coreProperties(root *xmltree.Node, m *doc.Metadata) {
	m.Title = field(root, "dc:title")
	m.Subject = field(root, "dc:subject")
	m.Language = field(root, "dc:language")
	m.Created = field(root, "dcterms:created")
	m.Modified = field(root, "dcterms:modified")
	m.Keywords = split(field(root, "cp:keywords"), ",;")
	m.Authors = split(field(root, "dc:creator"), ";")
	if m.Language != "" {
		m.Confidence = 1
	}
	setOther(m, "description", field(root, "dc:description"))
	setOther(m, "category", field(root, "cp:category"))
	setOther(m, "last modified by", field(root, "cp:lastModifiedBy"))
	setOther(m, "revision", field(root, "cp:revision"))
	setOther(m, "status", field(root, "cp:contentStatus"))
	m.Sources = map[string]string{}
	for name, set := range map[string]bool{"title": m.Title != "", "authors": m.Authors != nil, "created": m.Created != "", "modified": m.Modified != "",
		"subject": m.Subject != "", "keywords": m.Keywords != nil, "language": m.Language != ""} {
		if set {
			m.Sources[name] = "core.xml"
		}
	}
}

func field(root *xmltree.Node, name string) string {
	return strings.TrimSpace(root.Child(name).AllText())
}

func setOther(m *doc.Metadata, key, value string) {
	if key == "" || value == "" {
		return
	}
	if m.Other == nil {
		m.Other = map[string]string{}
	}
	m.Other[key] = value
}

func split(text, separators string) []string {
	var parts []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}
