package docx

import (
	"path"

	"decant/handler/internal/doc"
)

// embedded saves an embedded Office file or other package as an attachment.
func (p *parser) embedded(id string) {
	rel, ok := p.rels[id]
	if !ok || rel.External || rel.Type != "package" {
		return // the picture that stands for the object was read
	}
	p.attach(rel.Target)
}

// foreignPart saves a part in another format that Word would paste in when it opens the document (w:altChunk).
func (p *parser) foreignPart(id string) {
	rel, ok := p.rels[id]
	if !ok || rel.External {
		p.doc.Warn("missing_part", "A part that belongs into the text is missing: "+id+".", doc.Place{Part: p.part})
		return
	}
	p.doc.Warn("attachments_listed", "A part of the text is stored in another format; it is an attachment: "+rel.Target+".")
	p.attach(rel.Target)
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
