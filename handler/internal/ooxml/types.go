package ooxml

import (
	"path"
	"strings"
)

// contentTypes is what [Content_Types].xml says.
type contentTypes struct {
	parts      map[string]string // by lower-case part name
	extensions map[string]string // by lower-case extension without dot
}

func (p *Package) readContentTypes() contentTypes {
	types := contentTypes{parts: map[string]string{}, extensions: map[string]string{}}
	root, err := p.Tree("[Content_Types].xml")
	if err != nil || root == nil {
		return types
	}
	for _, node := range root.Children {
		switch node.Name {
		case "Default":
			types.extensions[strings.ToLower(node.Attr("Extension"))] = node.Attr("ContentType")
		case "Override":
			types.parts[strings.ToLower(strings.TrimPrefix(node.Attr("PartName"), "/"))] = node.Attr("ContentType")
		}
	}
	return types
}

// ContentType is the media type of a part, or "".
func (p *Package) ContentType(part string) string {
	part = strings.ToLower(part)
	if kind, ok := p.types.parts[part]; ok {
		return kind
	}
	return p.types.extensions[strings.TrimPrefix(path.Ext(part), ".")]
}
