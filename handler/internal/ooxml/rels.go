package ooxml

import (
	"net/url"
	"path"
	"strings"
)

// Relationship is one arrow from a part to another part or to the outside.
type Relationship struct {
	ID       string
	Type     string // the last word of its type: "image", "hyperlink", "styles", "officeDocument"
	Target   string // a part's name, or the address when External
	Fragment string // what followed "#" in the target of a part
	External bool
}

// Relationships are the arrows that start at one part, by id.
type Relationships map[string]Relationship

// Rels gives the relationships of a part; "" stands for the package. A missing or damaged list is an empty one.
func (p *Package) Rels(part string) Relationships {
	if rels, ok := p.rels[part]; ok {
		return rels
	}
	rels := Relationships{}
	p.rels[part] = rels
	dir, base := path.Split(part)
	root, err := p.Tree(dir + "_rels/" + base + ".rels")
	if err != nil || root == nil {
		return rels
	}
	for _, node := range root.All("Relationship") {
		rel := Relationship{ID: node.Attr("Id"), Type: shortType(node.Attr("Type")), Target: node.Attr("Target"), External: node.Attr("TargetMode") == "External"}
		if !rel.External {
			target, fragment, _ := strings.Cut(rel.Target, "#")
			if unescaped, err := url.PathUnescape(target); err == nil && !p.Has(resolve(part, target)) {
				target = unescaped
			}
			rel.Target, rel.Fragment = "", fragment
			if target != "" {
				rel.Target = resolve(part, target)
			}
		}
		rels[rel.ID] = rel
	}
	return rels
}

// First gives the target of the relationship of that type with the smallest id, or "".
func (r Relationships) First(kind string) string {
	best := ""
	for id, rel := range r {
		if rel.Type == kind && !rel.External && (best == "" || id < best) {
			best = id
		}
	}
	return r[best].Target
}

func shortType(kind string) string { return kind[strings.LastIndexByte(kind, '/')+1:] }
