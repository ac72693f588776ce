package layout

// Roles of the tags that matter here: ISO 32000-2, 14.8.4.
var headingRoles = map[string]int{"Title": 1, "H": 1, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}

// markTagged takes headings from the document's tags when these can be trusted, and tells whether they say which text is a heading.
// Tags that make a heading of most text, or of none in a document of several pages, are not believed.
func markTagged(blocks []block) bool {
	headings, all, tagged := 0, 0, 0
	for i := range blocks {
		for _, l := range blocks[i].lines {
			for _, w := range l.Words {
				all += len(w.Text)
				if headingRoles[w.Style.Role] > 0 {
					headings += len(w.Text)
				}
				if w.Style.Role != "" {
					tagged += len(w.Text)
				}
			}
		}
	}
	if headings == 0 || headings*4 > all || tagged*10 < all*6 {
		return false
	}
	for i := range blocks {
		b := &blocks[i]
		if b.isFloat() || b.kind != "" || len(b.lines) > 6 {
			continue
		}
		if level := headingRoles[b.role()]; level > 0 {
			b.kind, b.level, b.sure = kindHeading, level, true
		}
	}
	return true
}

// role is the role that all words of a block share, or "".
func (b *block) role() string {
	role := ""
	for _, l := range b.lines {
		for _, w := range l.Words {
			switch {
			case role == "":
				role = w.Style.Role
			case role != w.Style.Role:
				return ""
			}
		}
	}
	return role
}

// markArtifacts takes text at the edges of pages that the tags call an artifact as furniture.
func markArtifacts(blocks []block, pages map[int]pageInfo) {
	for i := range blocks {
		b := &blocks[i]
		if b.furniture != "" || b.role() != RoleArtifact {
			continue
		}
		switch h := pages[b.page].height; {
		case b.box.Y1 <= h*edgeShare:
			b.furniture = RoleHeader
		case b.box.Y0 >= h*(1-edgeShare):
			b.furniture = RoleFooter
		}
	}
}
