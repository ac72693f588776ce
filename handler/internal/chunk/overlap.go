package chunk

import "sort"

// overlap makes the text of a new chunk start with the last sentences of the chunk before, when both are running text
// under the same heading.
func (p *packer) overlap(x *piece) {
	if p.options.Overlap == 0 || len(p.drafts) == 0 {
		return
	}
	before := &p.drafts[len(p.drafts)-1]
	last := before.last()
	if !isRunningText(last) || !isRunningText(x) || x.fresh || p.options.Strategy != "fixed" && last.path != x.path {
		return
	}
	start, end := last.start, last.end
	if reach := p.options.Overlap * 16; end-start > reach {
		start = runeStart(p.text, end-reach)
	}
	fits := func(at int) bool { return p.meter.count(at, end) <= p.options.Overlap }
	ends := sentenceEnds(p.text[start:end])
	i := sort.Search(len(ends), func(i int) bool { return fits(start + ends[i]) })
	from := end
	switch {
	case start == last.start && fits(start):
		from = start
	case i < len(ends) && start+ends[i] < end:
		from = skipBlanks(p.text, start+ends[i], end)
	case p.options.Strategy == "fixed":
		from = p.lastWords(start, end, fits)
	}
	if from < end {
		p.cur.from = from
	}
}

// lastWords is the first blank from which on a text fits.
func (p *packer) lastWords(start, end int, fits func(int) bool) int {
	for i := start; i < end; i++ {
		if p.text[i] == ' ' && fits(i+1) {
			return i + 1
		}
	}
	return end
}

func isRunningText(x *piece) bool {
	return x.kind == textPiece || x.kind == listPiece || x.kind == notePiece
}
