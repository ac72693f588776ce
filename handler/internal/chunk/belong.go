package chunk

// belongs tells whether a piece may stand in the current chunk, whatever its size: the rule of the strategy.
func (p *packer) belongs(x *piece) bool {
	last := p.cur.last()
	if x.fresh || last.partial && x.row != last.row || (x.kind == notePiece) != (last.kind == notePiece) {
		return false
	}
	switch p.options.Strategy {
	case "fixed":
		return true
	case "page":
		return x.page == 0 || x.page == p.cur.pieces[0].page
	}
	if x.kind == headingPiece {
		return p.cur.onlyHeadings()
	}
	if x.path != last.inner {
		return p.cur.onlyHeadings() && x.path >= 0 && p.isUnder(last.inner, x.path)
	}
	if p.cur.onlyHeadings() || last.glued || sameThing(last, x) {
		return true
	}
	if p.options.Strategy == "hierarchical" || p.options.NoMerge {
		return false
	}
	// A table that had to be cut stands apart from what comes after it.
	return last.kind != rowPiece || p.isSmall()
}

// sameThing tells whether two pieces are neighbours in one list or table.
func sameThing(a, b *piece) bool {
	switch b.kind {
	case rowPiece:
		return a.table == b.table && (!a.partial && !b.partial || a.row == b.row)
	case listPiece:
		return a.kind == listPiece
	}
	return false
}

// isUnder tells whether the heading a is b or stands under b.
func (p *packer) isUnder(a, b int32) bool {
	for ; a >= 0; a = p.outline[a].up {
		if a == b {
			return true
		}
	}
	return b < 0
}
