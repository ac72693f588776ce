package mail

import (
	"io"
	"path"
	"strings"

	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
)

// Letter is a message as people see it.
type Letter struct {
	Subject   string
	Date      string // RFC 3339, or without zone; "" when unknown
	MessageID string
	From, To  []Address
	Cc, Bcc   []Address
	ReplyTo   []Address
	Other     map[string]string // further header fields worth keeping, by lower-case name
	Bodies    []Body            // in order; of alternatives, one
	Files     []File
	Encrypted bool // the body cannot be read without a key
	Signed    bool
	Dropped   int      // alternative forms of a body that were left out
	Unclosed  int      // multiparts without a closing boundary
	Repaired  int      // header lines that break the rules
	Flattened int      // multiparts nested too deeply; their parts were read side by side
	Cut       bool     // there is more in it than is read
	Elsewhere []string // files that the letter names and does not have
	readers   map[string]partReader
}

// partReader reads a part of one media type.
type partReader func(*Letter, *Part, reading)

// Body is text to read in its place.
type Body struct {
	Kind string // html, text, flowed, calendar, contact, headers
	Text string
	Path string // of the part
}

// File is something that came with the letter.
type File struct {
	Name   string
	Type   string
	ID     string // Content-ID: HTML shows it as cid:ID
	Place  string // Content-Location
	Path   string
	Inline bool // meant to be seen in the text
	Open   func() io.Reader
}

// keptFields are header fields that go to the metadata as they are.
var keptFields = []string{"in-reply-to", "references", "list-id", "organization", "x-mailer", "user-agent", "importance", "x-priority", "sender", "received"}

// FromMessage finds the letter in a message.
func FromMessage(m *Message) *Letter {
	h := m.Root.Header
	l := &Letter{
		Subject: h.Text("subject"), Date: Date(h.Raw("date")), MessageID: strings.Trim(plainText(h.Raw("message-id")), "<> "),
		From: Addresses(h.Raw("from")), ReplyTo: Addresses(h.Raw("reply-to")), Other: map[string]string{},
		Unclosed: m.Unclosed, Repaired: m.Repaired, Flattened: m.Flattened, Cut: m.Cut, readers: partReaders(),
	}
	l.To, l.Cc, l.Bcc = l.people(h, "to"), l.people(h, "cc"), l.people(h, "bcc")
	for _, name := range keptFields {
		if text := h.Text(name); text != "" && name != "received" {
			l.Other[name] = text
		}
	}
	if raw := plainText(h.Raw("date")); l.Date == "" && raw != "" {
		l.Other["date"] = raw
		l.Repaired++
	}
	l.read(m.Root, reading{})
	return l
}

func (l *Letter) people(h Header, name string) []Address {
	var list []Address
	for _, value := range h.All(name) {
		list = append(list, Addresses(value)...)
	}
	return list
}

// reading is what the multiparts around a part say about it.
type reading struct {
	filesOnly bool // in an alternative that was not chosen
	related   bool // beside an HTML body that may show it
}

// read adds a part and what is in it.
func (l *Letter) read(p *Part, r reading) {
	if read, ok := l.readers[p.Type]; ok && !(p.IsAttachment() && strings.HasPrefix(p.Type, "text/")) {
		read(l, p, r)
		return
	}
	switch {
	case strings.HasPrefix(p.Type, "multipart/"):
		for _, child := range p.Parts {
			l.read(child, r)
		}
	case p.Type == "message/external-body":
		l.Elsewhere = append(l.Elsewhere, elsewhere(p))
	case strings.HasPrefix(p.Type, "text/") && !p.IsAttachment() && (p.Name == "" || typeExtensions[p.Type] == "" || isWords[p.Type]):
		l.addText(p, r, "text")
	case isEmptyPart(p):
	default:
		l.addFile(p, r, p.Name, p.Reader)
	}
}

// isWords are types of text that are read in their place even when they have a file's name: mail programs show them there.
var isWords = map[string]bool{"text/plain": true, "text/html": true}

// elsewhere says where the content of a part is that is not in the message (RFC 2046, 5.2.3).
func elsewhere(p *Part) string {
	for _, name := range []string{"url", "name", "site"} {
		if p.Params[name] != "" {
			return p.Params[name]
		}
	}
	return p.Params["access-type"]
}

func isEmptyPart(p *Part) bool { return p.Name == "" && strings.TrimSpace(p.Body) == "" }

func (l *Letter) addText(p *Part, r reading, kind string) {
	if r.filesOnly {
		return
	}
	text := p.Text()
	if kind == "html" {
		text = p.Text(htmldoc.Declared(p.Bytes())...)
	}
	if kind == "text" {
		text.String = l.plain(text.String, p, r)
	}
	if strings.TrimSpace(text.String) == "" {
		return
	}
	l.Bodies = append(l.Bodies, Body{Kind: kind, Text: text.String, Path: p.Path})
}

func (l *Letter) addFile(p *Part, r reading, name string, open func() io.Reader) {
	if name == "" {
		name = "part-" + strings.ReplaceAll(p.Path, ".", "-") + extensionOf(p.Type)
	}
	l.Files = append(l.Files, File{
		Name: path.Base(strings.ReplaceAll(name, `\`, "/")), Type: p.Type, ID: p.ID, Place: p.Location, Path: p.Path, Open: open,
		Inline: p.Placing == "inline" || p.ID != "" && p.Placing != "attachment" && r.related,
	})
}

var typeExtensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "application/pdf": ".pdf", "text/plain": ".txt", "text/html": ".html",
	"text/csv": ".csv", "message/rfc822": ".eml", "text/calendar": ".ics", "text/vcard": ".vcf", "application/json": ".json", "application/zip": ".zip",
}

func extensionOf(mediaType string) string { return typeExtensions[mediaType] }

// choose reads the best of alternative forms, and of the others the files only.
func (l *Letter) choose(p *Part, r reading) {
	best, top := -1, 0
	for i, child := range p.Parts {
		if score := worth(child); score >= top && score > 0 {
			best, top = i, score
		}
	}
	for i, child := range p.Parts {
		inner := r
		if i != best && child.Type != "text/calendar" {
			inner.filesOnly = true
			if worth(child) > 0 && !r.filesOnly {
				l.Dropped++
			}
		}
		l.read(child, inner)
	}
}

// worth says how well a form of the body can be read: HTML before plain text before the rest, anything before nothing.
func worth(p *Part) int {
	switch {
	case p.Type == "text/html" && HasContent(p.Bytes()):
		return 3
	case p.Type == "text/plain" && strings.TrimSpace(p.Bytes()) != "":
		return 2
	case strings.HasPrefix(p.Type, "multipart/"):
		best := 0
		for _, child := range p.Parts {
			best = max(best, worth(child))
		}
		return best
	case strings.HasPrefix(p.Type, "text/") && p.Type != "text/calendar" && strings.TrimSpace(p.Body) != "":
		return 1
	}
	return 0
}

var (
	anyTag  = lazyregexp.New(`(?s)<(?:style|script|head|title)\b.*?</(?:style|script|head|title)>|<!--.*?-->|<[^>]*>|&nbsp;|&#160;`)
	anyShow = lazyregexp.New(`(?i)<(?:img|table)\b`)
)

// HasContent tells whether an HTML body shows anything; some mailers send an empty one beside the plain text.
func HasContent(text string) bool {
	return strings.TrimSpace(anyTag.ReplaceAllString(text, " ")) != "" || anyShow.MatchString(text)
}
