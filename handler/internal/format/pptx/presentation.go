package pptx

import (
	"context"
	"strconv"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// parser is one presentation being made into a document.
type parser struct {
	in        *format.Input
	pkg       *ooxml.Package
	d         *doc.Document
	part      string
	width     float64 // of a slide, in points
	height    float64
	defaults  drawingml.Levels // defaultTextStyle
	slides    []string         // parts, in order; "" for a missing one
	sheets    map[string]*sheet
	authors   map[string]string
	comments  int
	furniture map[string]bool // texts that are kept already
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	pkg, err := ooxml.Open(in)
	if err != nil {
		return nil, err
	}
	p := &parser{in: in, pkg: pkg, d: &doc.Document{}, part: pkg.Main(), sheets: map[string]*sheet{}, authors: map[string]string{}, furniture: map[string]bool{}}
	if err := p.readPresentation(); err != nil {
		return nil, err
	}
	if in.Limits.Pages > 0 && len(p.slides) > in.Limits.Pages {
		return nil, fault.Newf(fault.TooManyPages, "The presentation has %d slides, more than the limit of %d. Split it, or raise the limit (--max-pages, DECANT_MAX_PAGES).", len(p.slides), in.Limits.Pages)
	}
	pkg.Properties(&p.d.Metadata)
	for _, note := range pkg.Notes() {
		p.d.Warn("repaired", note)
	}
	for i, part := range p.slides {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in.Progress(i+1, len(p.slides))
		if err := p.slide(part, i+1); err != nil {
			return nil, err
		}
	}
	p.finish()
	return p.d, nil
}

// readPresentation reads the list of slides (19.2.1.34), whose order is the order of the slides whatever their parts are called.
func (p *parser) readPresentation() error {
	root, err := p.tree(p.part)
	if err != nil || root == nil {
		return fault.New(fault.Corrupt, "The presentation's list of slides is missing or damaged. Open and save it again in PowerPoint, or upload it again.", err)
	}
	p.width, p.height = points(root.Child("p:sldSz").Attr("cx")), points(root.Child("p:sldSz").Attr("cy"))
	p.defaults = drawingml.ReadLevels(root.Child("p:defaultTextStyle"))
	rels := p.pkg.Rels(p.part)
	for _, node := range root.Child("p:sldIdLst").All("p:sldId") {
		target := rels[node.Attr("r:id")].Target
		if !p.pkg.Has(target) {
			target = ""
		}
		p.slides = append(p.slides, target)
	}
	p.readAuthors()
	return nil
}

// tree reads a part; a missing or empty one is nil. Only faults (a bomb, an exhausted budget) are errors.
func (p *parser) tree(part string) (*xmltree.Node, error) {
	if part == "" || !p.pkg.Has(part) {
		return nil, nil
	}
	root, err := p.pkg.Tree(part)
	switch fault.KindOf(err) {
	case fault.LimitOutput, fault.LimitRatio, fault.Encrypted:
		return nil, err
	}
	return root, nil
}

func points(emu string) float64 {
	n, _ := strconv.ParseInt(emu, 10, 64)
	return float64(n) / 12700
}

func (p *parser) includeHidden() bool { return p.in.Options.Hidden == "include" }

// finish reports what concerns the presentation as a whole.
func (p *parser) finish() {
	p.reportComments()
	if len(p.d.Furniture) > 0 && p.in.Options.Furniture != "keep" {
		p.d.Warn("furniture_dropped", "Footers, dates and slide numbers are in document.json only.")
	}
	for _, rel := range p.pkg.Rels(p.part) {
		if rel.Type == "vbaProject" {
			p.d.Warn("active_content", "The presentation has macros; they were left out.")
		}
	}
	if len(p.d.Blocks) == 0 && len(p.d.Attachments) == 0 {
		p.d.Warn("empty_document", "No visible slide of the presentation has any content.")
	}
}
