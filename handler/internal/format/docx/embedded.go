package docx

import (
	"fmt"
	"path"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/htmldoc"
)

// embedded saves an embedded Office file or other package as an attachment.
func (p *parser) embedded(id string) {
	rel, ok := p.rels[id]
	if !ok || rel.External || rel.Type != "package" {
		return // the picture that stands for the object was read
	}
	p.attach(rel.Target)
}

// foreign takes in a part in another format that Word pastes in when it opens the document (w:altChunk): HTML and plain text are read
// in their place, other formats become attachments.
func (f *flow) foreign(id string) {
	p := f.p
	rel, ok := p.rels[id]
	if !ok || rel.External || !p.pkg.Has(rel.Target) {
		p.doc.Warn("missing_part", "A part that belongs into the text is missing: "+id+".", doc.Place{Part: p.part})
		return
	}
	kind := p.pkg.ContentType(rel.Target)
	isHTML, isText := strings.Contains(kind, "html"), strings.HasPrefix(kind, "text/plain")
	if !isHTML && !isText || p.foreigners >= maxForeign {
		p.doc.Warn("attachments_listed", "A part of the text is stored in another format; it is an attachment: "+rel.Target+".")
		p.attach(rel.Target)
		return
	}
	data, err := p.pkg.Bytes(rel.Target, maxImage)
	if err != nil {
		p.doc.Warn("unsupported_part", "A part could not be read: "+rel.Target+".", doc.Place{Part: rel.Target})
		return
	}
	p.foreigners++
	f.closeLists()
	f.addAll(p.foreignBlocks(string(data), rel.Target, isHTML))
}

// maxForeign bounds the parts in other formats that are read in their place.
const maxForeign = 1000

func (p *parser) foreignBlocks(data, part string, isHTML bool) []doc.Block {
	place := doc.Place{Part: part}
	if !isHTML {
		var blocks []doc.Block
		for _, text := range strings.Split(strings.ReplaceAll(charset.Decode(data).String, "\r\n", "\n"), "\n\n") {
			if text = strings.TrimSpace(text); text != "" {
				blocks = append(blocks, doc.P(text, place))
			}
		}
		return blocks
	}
	before := p.doc.Blocks
	p.doc.Blocks = nil
	err := htmldoc.Convert(p.ctx, p.doc, charset.Decode(data, htmldoc.Declared(data)...).String, htmldoc.Options{
		Files: p.in.Files, Place: place, Hidden: p.in.Options.Hidden, NotePrefix: fmt.Sprintf("h%d-", p.foreigners),
	})
	blocks := p.doc.Blocks
	p.doc.Blocks = before
	if err != nil { // the context ended: the reading of the body says so
		return nil
	}
	return blocks
}

func (p *parser) attach(part string) {
	if p.saved[part] {
		return
	}
	p.saved[part] = true
	body, err := p.pkg.Part(part)
	if err != nil {
		p.doc.Warn("missing_part", "An embedded file is missing: "+part+".", doc.Place{Part: part})
		return
	}
	defer body.Close()
	attachment, err := p.in.Files.Attachment(path.Base(part), p.pkg.ContentType(part), body)
	if err != nil {
		p.doc.Warn("attachment_failed", "An embedded file could not be taken out: "+path.Base(part)+".")
		return
	}
	p.doc.Attachments = append(p.doc.Attachments, attachment)
}
