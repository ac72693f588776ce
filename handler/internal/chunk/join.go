package chunk

// join brings chunks below the minimum together with a neighbour under the same heading, when both fit into one.
func (p *packer) join() {
	var out []draft
	for _, d := range p.drafts {
		for len(out) > 0 && p.joins(&out[len(out)-1], &d) {
			before := out[len(out)-1]
			before.pieces = append(before.pieces[:len(before.pieces):len(before.pieces)], d.pieces...)
			if before.generated = before.generated || d.generated; before.generated {
				before.tokens = p.meter.counter.Count(p.textOf(&before))
			} else {
				before.tokens = p.meter.joined(before.context.text, before.context.tokens, before.from, d.end(), p.suffix(d.last()))
			}
			if before.tokens > p.options.MaxTokens {
				break
			}
			d = before
			out = out[:len(out)-1]
		}
		out = append(out, d)
	}
	p.drafts = out
}

// joins tells whether two neighbours may be one chunk, whatever their size together.
func (p *packer) joins(a, b *draft) bool {
	first, last := &b.pieces[0], a.last()
	if a.tokens >= p.options.MinTokens && b.tokens >= p.options.MinTokens || a.tokens+b.tokens > 2*p.options.MaxTokens {
		return false
	}
	switch {
	case first.fresh, a.bare, b.bare, (first.kind == notePiece) != (last.kind == notePiece):
		return false
	case first.kind == rowPiece, last.kind == rowPiece && !last.atEnd, isRest(first, last):
		return false
	}
	return p.areNear(a.pieces[0].path, first.path)
}

// isRest tells whether b goes on with the text that a broke off.
func isRest(b, a *piece) bool { return b.node == a.node }

// areNear tells whether two headings have the same heading above them, or one stands above the other.
func (p *packer) areNear(a, b int32) bool {
	if a == b || p.isUnder(a, b) || p.isUnder(b, a) {
		return true
	}
	return p.outline[a].up == p.outline[b].up
}
