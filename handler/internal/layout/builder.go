package layout

import (
	"maps"
	"slices"

	"decant/handler/internal/doc"
)

// Builder gathers pages and makes a document of them.
type Builder struct {
	Outline       []Outline                   // the document's bookmarks, if any; set before Finish
	KeepFurniture bool                        // leave running headers and footers in the body
	Words         func(page int, box doc.Box) // when set, told of every word as it is found
	blocks        []block
	pages         map[int]pageInfo
	regions       int
}

type pageInfo struct{ width, height float64 }

// NewBuilder makes an empty Builder.
func NewBuilder() *Builder { return &Builder{pages: map[int]pageInfo{}} }

// Add reads a page. The page may be reused afterwards; only words are kept.
func (b *Builder) Add(p *Page) {
	b.pages[p.Number] = pageInfo{p.Width, p.Height}
	kept := *p
	kept.Styles = slices.Clone(p.Styles) // words point into it
	p = &kept
	byAngle := map[int][]int{}
	slanted := map[int][]int{}
	for i := range p.Glyphs {
		angle := p.Styles[p.Glyphs[i].Style].Angle
		if angle%90 != 0 {
			slanted[angle] = append(slanted[angle], i)
			continue
		}
		byAngle[angle] = append(byAngle[angle], i)
	}
	main := 0
	if len(byAngle[0]) > 0 && upright(p, byAngle[0]) {
		byAngle[90] = append(byAngle[90], byAngle[0]...)
		byAngle[0] = nil
	}
	for _, angle := range []int{90, 180, 270} {
		if len(byAngle[angle]) > 2*len(byAngle[main]) {
			main = angle
		}
	}
	b.addFrame(p, main, byAngle[main], false)
	for _, angle := range []int{0, 90, 180, 270} {
		if angle != main && len(byAngle[angle]) > 0 {
			b.addFrame(p, angle, byAngle[angle], true)
		}
	}
	for _, angle := range slices.Sorted(maps.Keys(slanted)) {
		b.blocks = append(b.blocks, slantedBlock(p, slanted[angle]))
	}
}

// addFrame reads the glyphs of one writing direction.
func (b *Builder) addFrame(p *Page, angle int, glyphs []int, aside bool) {
	f := frame{angle: angle, width: p.Width, height: p.Height}
	view, all := p, glyphs
	if angle != 0 {
		view = f.turned(p, glyphs)
		all = make([]int, len(view.Glyphs))
		for i := range all {
			all[i] = i
		}
	}
	blocks := b.read(view, all, aside)
	if angle != 0 {
		f.restore(blocks)
	}
	for i := range blocks {
		blocks[i].rotated = aside
	}
	b.blocks = append(b.blocks, blocks...)
}

// read makes blocks of one page's text, in reading order.
func (b *Builder) read(p *Page, glyphs []int, aside bool) []block {
	segments := attachScripts(segmentsOf(p, glyphs))
	setLinks(segments, p.Links)
	b.tell(p, segments)
	if !aside {
		segments = b.takeTables(p, segments)
	}
	var blocks []block
	for _, region := range order(sortLines(splitAtEdges(segments))) {
		b.regions++
		blocks = append(blocks, paragraphs(p.Number, b.regions, joinRows(plainTables(region)))...)
	}
	return blocks
}

// tell reports the words found.
func (b *Builder) tell(p *Page, segments []Line) {
	if b.Words == nil {
		return
	}
	for _, s := range segments {
		for _, w := range s.Words {
			b.Words(p.Number, w.Box)
		}
	}
}

// takeTables finds tables and drawings, and puts each in place of its words.
func (b *Builder) takeTables(p *Page, segments []Line) []Line {
	horizontal, vertical := rules(p.Strokes)
	segments, tagged := taggedTables(segments)
	segments, tables, nets := latticeTables(p, segments, horizontal, vertical)
	tables = append(tables, tagged...)
	segments = takeDrawings(p, segments, nets)
	bands := joinRules(append(slices.Clone(horizontal), fillEdges(p.Fills)...))
	segments, ruled := ruledTables(segments, outside(bands, tables))
	for _, t := range append(tables, ruled...) {
		segments = append(segments, Line{table: t, Box: t.box, Base: t.box.Y1, Size: 10})
	}
	return b.takePictures(p, segments)
}

// takePictures puts a figure in the place of each picture, with the labels that stand in it. What has more than labels is a background.
func (b *Builder) takePictures(p *Page, segments []Line) []Line {
	for i := range p.Images {
		image := &p.Images[i]
		var in, rest []Line
		words := 0
		for _, s := range segments {
			if s.Words != nil && inside(s.Box, image.Box) {
				in = append(in, s)
				words += wordCount(s)
			} else {
				rest = append(rest, s)
			}
		}
		fig := &figure{box: image.Box, image: image.ID, alt: image.Alt}
		if words > 4*len(in) || len(in) > 0 && width(image.Box)*height(image.Box) > 0.6*p.Width*p.Height {
			if image.ID != "" {
				b.blocks = append(b.blocks, block{page: p.Number, box: image.Box, figure: fig})
			}
			continue
		}
		fig.lines = sortLines(in)
		segments = append(rest, Line{figure: fig, Box: image.Box, Base: image.Box.Y1, Size: 10})
	}
	return segments
}

// inside tells whether most of a box lies in another.
func inside(a, outer doc.Box) bool {
	return overlapX(a, outer) > 0.5*width(a) && overlapY(a, outer) > 0.5*height(a)
}

// setLinks gives words their link's target.
func setLinks(segments []Line, links []Link) {
	for _, link := range links {
		leads := &lead{target: link.Target}
		for i := range segments {
			if overlapX(segments[i].Box, link.Box) <= 0 || overlapY(segments[i].Box, link.Box) <= 0 {
				continue
			}
			for k := range segments[i].Words {
				w := &segments[i].Words[k]
				if contains(link.Box, (w.Box.X0+w.Box.X1)/2, middle(*w)) {
					w.leads = leads
				}
			}
		}
	}
}

// outside keeps the rules that are not part of a table.
func outside(list []rule, tables []*table) []rule {
	var kept []rule
next:
	for _, r := range list {
		for _, t := range tables {
			if r.at >= t.box.Y0-2 && r.at <= t.box.Y1+2 && min(r.to, t.box.X1)-max(r.from, t.box.X0) > 0 {
				continue next
			}
		}
		kept = append(kept, r)
	}
	return kept
}
