package chunk

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// packer fills chunks with pieces.
type packer struct {
	doc     *doc.Document
	md      *markdown.Output
	text    string
	options Options
	outline []heading
	meter   *meter
	notes   noteBook

	cur    draft
	drafts []draft

	written *tableWriter // of the table that rows were written of last

	cached  context // of cachedKey
	cachedK contextKey
}

// draft is a chunk that is being made.
type draft struct {
	pieces    []piece // without gaps between them
	from      int     // where the text starts: before the body when there is overlap
	context   context
	tokens    int
	notes     int  // tokens of the notes that are cited in it
	generated bool // some of it is written anew
	bare      bool // without context, because nothing fits beside it
}

func (d *draft) start() int { return d.pieces[0].start }
func (d *draft) end() int   { return d.pieces[len(d.pieces)-1].end }

// last is the last piece; the draft must have one.
func (d *draft) last() *piece { return &d.pieces[len(d.pieces)-1] }

// onlyHeadings tells whether nothing but headings is in the draft.
func (d *draft) onlyHeadings() bool {
	for i := range d.pieces {
		if d.pieces[i].kind != headingPiece {
			return false
		}
	}
	return len(d.pieces) > 0
}

// add puts a piece into the current chunk, or ends that and starts the next one; a piece that fits nowhere is cut.
func (p *packer) add(x piece) {
	x.notes = p.cost(&x)
	if len(p.cur.pieces) > 0 && !p.belongs(&x) {
		p.flush()
	}
	if len(p.cur.pieces) == 0 {
		p.begin(&x)
		if p.put(x) {
			return
		}
		p.cut(x)
		return
	}
	if p.put(x) {
		return
	}
	if last := len(p.cur.pieces) - 1; last > 0 && p.cur.pieces[last].glued {
		intro := p.cur.pieces[last]
		p.cur.pieces = p.cur.pieces[:last]
		p.recount()
		p.flush()
		intro.glued = false
		p.add(intro)
		p.add(x)
		return
	}
	if x.kind != headingPiece && (p.cur.onlyHeadings() || p.options.Strategy == "fixed" || p.isSmall() && !p.fitsAlone(x)) {
		p.cut(x)
		return
	}
	p.flush()
	p.add(x)
}

// isSmall tells whether the current chunk is below the minimum.
func (p *packer) isSmall() bool { return p.cur.tokens < p.options.MinTokens }

// begin starts a chunk whose first piece is x.
func (p *packer) begin(x *piece) {
	p.cur = draft{from: x.start, context: p.contextOf(x)}
	p.overlap(x)
}

// put adds a piece to the current chunk if it fits.
func (p *packer) put(x piece) bool {
	if p.isGenerated(&x) || p.cur.generated && len(p.cur.pieces) > 0 {
		return p.putGenerated(x)
	}
	n := p.measure(&x, x.end)
	if n > p.options.MaxTokens || n+p.cur.notes+int(x.notes) > p.options.MaxTokens && p.canWait() {
		return false
	}
	p.cur.pieces = append(p.cur.pieces, x)
	p.cur.tokens, p.cur.notes = n, p.cur.notes+int(x.notes)
	return true
}

// canWait tells whether the next piece may as well start a chunk.
func (p *packer) canWait() bool { return len(p.cur.pieces) > 0 && !p.cur.onlyHeadings() }

// putGenerated is put for a chunk with a piece that is written anew. Its tokens are counted exactly when it comes near the limit,
// and when it is finished.
func (p *packer) putGenerated(x piece) bool {
	pieces := append(p.cur.pieces[:len(p.cur.pieces):len(p.cur.pieces)], x)
	var own int
	if p.isGenerated(&x) {
		own = p.meter.raw(p.generate(x.start, []piece{x}))
	} else {
		own = p.meter.count(x.start, x.end)
	}
	n := p.cur.tokens + own + 2
	if len(p.cur.pieces) == 0 || n > p.options.MaxTokens-p.options.MaxTokens/16-4 {
		n = p.meter.counter.Count(p.cur.context.text + p.generate(p.cur.from, pieces))
	}
	if n > p.options.MaxTokens {
		return false
	}
	p.cur.pieces, p.cur.tokens, p.cur.generated = pieces, n, true
	return true
}

// measure counts the current chunk with x up to end in it.
func (p *packer) measure(x *piece, end int) int {
	c := &p.cur.context
	suffix := ""
	if end == x.end {
		suffix = p.suffix(x)
	}
	return p.meter.joined(c.text, c.tokens, p.cur.from, end, suffix)
}

// textOf is the final text of a draft, without notes.
func (p *packer) textOf(d *draft) string {
	if d.generated {
		return d.context.text + p.generate(d.from, d.pieces)
	}
	return d.context.text + p.text[d.from:d.end()] + p.suffix(d.last())
}

func (p *packer) recount() {
	if p.cur.generated = p.hasGenerated(p.cur.pieces); p.cur.generated {
		return
	}
	last := p.cur.last()
	p.cur.tokens = p.measure(last, last.end)
}

// fitsAlone tells whether a piece fits into a chunk of its own.
func (p *packer) fitsAlone(x piece) bool {
	c := p.contextOf(&x)
	if p.isGenerated(&x) {
		return p.meter.counter.Count(c.text+p.generate(x.start, []piece{x})) <= p.options.MaxTokens
	}
	return p.meter.joined(c.text, c.tokens, x.start, x.end, p.suffix(&x)) <= p.options.MaxTokens
}

// isMute tells whether a draft is nothing but pictures without caption and alternative text: a reference to a file finds nothing.
func (p *packer) isMute(d *draft) bool {
	if d.pieces[0].kind == headingPiece {
		return false
	}
	rest := strings.TrimSpace(p.text[d.start():d.end()])
	for rest != "" {
		after, found := strings.CutPrefix(rest, "![](")
		if !found {
			return false
		}
		if _, rest, found = strings.Cut(after, ")"); !found {
			return false
		}
		rest = strings.TrimSpace(rest)
	}
	return true
}

// flush ends the current chunk.
func (p *packer) flush() {
	if len(p.cur.pieces) > 0 && !p.isMute(&p.cur) {
		if p.cur.generated {
			p.cur.tokens = p.meter.counter.Count(p.textOf(&p.cur))
		}
		p.drafts = append(p.drafts, p.cur)
	}
	p.cur = draft{}
}

// cut takes a piece apart that does not fit, by its blocks, rows and cells, at last as text.
func (p *packer) cut(x piece) {
	if parts := p.parts(x); len(parts) > 0 {
		for _, part := range parts {
			p.add(part)
		}
		return
	}
	p.cutText(x)
}

// cutText fills the current chunk with the beginning of a piece, and goes on with its rest.
func (p *packer) cutText(x piece) {
	x.partial = x.kind == rowPiece
	if p.cur.generated && len(p.cur.pieces) > 0 {
		p.flush()
	}
	if len(p.cur.pieces) == 0 {
		p.begin(&x)
	}
	for !p.put(x) {
		least := p.least(&x)
		end, found := cutText(p.text, x.start, x.end, x.kind == codePiece, least, p.guess(&x), func(end int) bool { return p.measure(&x, end) <= p.options.MaxTokens })
		if end <= least && found < graphemeBorder {
			found = graphemeBorder // a list item's marker alone is no better than a part of a word
		}
		if found > blankBorder && p.makeRoom(&x, end, found) {
			continue
		}
		if found == noBorder {
			end = nextRune(p.text, x.start)
		}
		first := x
		first.end = end
		first.atEnd = false
		p.cur.tokens = p.measure(&first, end)
		p.cur.pieces = append(p.cur.pieces, first)
		p.flush()
		x.start = skipBlanks(p.text, end, x.end)
		x.fresh = false
		if x.start >= x.end {
			return
		}
		p.begin(&x)
	}
}

// guess is about where a piece stops to fit into the current chunk.
func (p *packer) guess(x *piece) int {
	used := p.cur.context.tokens
	if p.cur.from < x.start {
		used += p.meter.count(p.cur.from, x.start)
	}
	return p.meter.reach(x.start, p.options.MaxTokens-used)
}

// least is the end of the marker with which a list item or quote starts: a chunk is more than that.
func (p *packer) least(x *piece) int {
	start := p.md.Nodes[x.node].Start
	if x.table >= 0 {
		start = p.md.Nodes[x.table].Start
	}
	if x.start < start && start < x.end && start-x.start <= 24 {
		return start
	}
	if x.start != start || x.kind != listPiece && x.kind != textPiece && x.kind != notePiece && x.kind != headingPiece {
		return x.start
	}
	marker := x.start
	for marker < x.end && marker < x.start+12 && strings.IndexByte("-*#>.)[]^:x0123456789 ", p.text[marker]) >= 0 {
		marker++
	}
	if at := strings.LastIndexByte(p.text[x.start:marker], ' '); at >= 0 {
		return x.start + at + 1
	}
	return x.start
}

// makeRoom gives the beginning of x more space, when there is only room for a part of a word: first without what is in the chunk
// already, then without overlap, and for a single character without context. It tells whether something has changed.
func (p *packer) makeRoom(x *piece, end int, found level) bool {
	switch {
	case len(p.cur.pieces) > 0 && (found > wordBorder || p.meter.count(x.start, end) < p.options.MaxTokens/4):
		p.flush()
		p.begin(x)
	case len(p.cur.pieces) == 0 && p.cur.from < x.start && found > wordBorder:
		p.cur.from = x.start
	case len(p.cur.pieces) == 0 && p.cur.context.text != "" && found >= runeBorder:
		p.cur.context, p.cur.bare = context{shortened: true}, true
	default:
		return false
	}
	return true
}

func nextRune(text string, at int) int {
	for at++; at < len(text) && text[at]&0xC0 == 0x80; at++ {
	}
	return at
}
