package mail

import (
	"io"
	"strings"
)

// partReaders lists the media types that are read in their own way.
func partReaders() map[string]partReader {
	return map[string]partReader{
		"multipart/alternative":            (*Letter).choose,
		"multipart/related":                (*Letter).readRelated,
		"multipart/signed":                 (*Letter).readSigned,
		"multipart/encrypted":              func(l *Letter, _ *Part, _ reading) { l.Encrypted = true },
		"text/html":                        func(l *Letter, p *Part, r reading) { l.addText(p, r, "html") },
		"application/xhtml+xml":            func(l *Letter, p *Part, r reading) { l.addText(p, r, "html") },
		"text/plain":                       (*Letter).readPlain,
		"text/calendar":                    func(l *Letter, p *Part, r reading) { l.addText(p, r, "calendar") },
		"text/vcard":                       func(l *Letter, p *Part, r reading) { l.addText(p, r, "contact") },
		"text/x-vcard":                     func(l *Letter, p *Part, r reading) { l.addText(p, r, "contact") },
		"text/directory":                   func(l *Letter, p *Part, r reading) { l.addText(p, r, "contact") },
		"text/rfc822-headers":              func(l *Letter, p *Part, r reading) { l.addText(p, r, "headers") },
		"message/delivery-status":          func(l *Letter, p *Part, r reading) { l.addText(p, r, "headers") },
		"message/disposition-notification": func(l *Letter, p *Part, r reading) { l.addText(p, r, "headers") },
		"message/rfc822":                   (*Letter).readMessage,
		"message/global":                   (*Letter).readMessage,
		"application/pkcs7-mime":           (*Letter).readSMIME,
		"application/x-pkcs7-mime":         (*Letter).readSMIME,
		"application/pkcs7-signature":      (*Letter).readSignature,
		"application/x-pkcs7-signature":    (*Letter).readSignature,
		"application/pgp-signature":        (*Letter).readSignature,
		"application/pgp-encrypted":        func(l *Letter, _ *Part, _ reading) { l.Encrypted = true },
	}
}

func (l *Letter) readPlain(p *Part, r reading) {
	kind := "text"
	if strings.EqualFold(p.Params["format"], "flowed") {
		kind = "flowed"
	}
	l.addText(p, r, kind)
}

// readRelated reads the body first (RFC 2387: the part that "start" names, or the first), then what it shows.
func (l *Letter) readRelated(p *Part, r reading) {
	start := 0
	for i, child := range p.Parts {
		if id := strings.Trim(p.Params["start"], "<> "); id != "" && child.ID == id {
			start = i
		}
	}
	for i, child := range p.Parts {
		if i == start {
			l.read(child, r)
		}
	}
	r.related = true
	for i, child := range p.Parts {
		if i != start {
			l.read(child, r)
		}
	}
}

// readSigned reads what was signed. The signature itself is nothing to read.
func (l *Letter) readSigned(p *Part, r reading) {
	l.Signed = true
	for _, child := range p.Parts {
		l.read(child, r)
	}
}

func (l *Letter) readSignature(*Part, reading) { l.Signed = true }

// readMessage keeps a message inside the message as a document of its own, named after its subject.
func (l *Letter) readMessage(p *Part, r reading) {
	name := p.Name
	if name == "" {
		inner, _, _ := readHeader(strings.TrimLeft(p.Bytes(), "\r\n"))
		name = FileName(inner.Text("subject"))
	}
	if !strings.HasSuffix(strings.ToLower(name), ".eml") {
		name += ".eml"
	}
	l.addFile(p, r, name, p.Reader)
}

// FileName makes a name for a file of a subject.
func FileName(subject string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x20 || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.TrimSpace(subject))
	if runes := []rune(name); len(runes) > 100 {
		name = string(runes[:100])
	}
	if name == "" {
		return "message"
	}
	return name
}

// readSMIME reads a signed message that is wrapped whole (RFC 8551, 3.5.2); an encrypted one stays closed.
func (l *Letter) readSMIME(p *Part, r reading) {
	content, kind := unwrapCMS([]byte(p.Bytes()))
	switch kind {
	case cmsSigned:
		l.Signed = true
		inner := Parse(content)
		l.Unclosed += inner.Unclosed
		l.Flattened += inner.Flattened
		l.Cut = l.Cut || inner.Cut
		inner.Root.Path = p.Path
		l.read(inner.Root, r)
	case cmsEnveloped:
		l.Encrypted = true
	default:
		l.addFile(p, r, p.Name, func() io.Reader { return p.Reader() })
	}
}
