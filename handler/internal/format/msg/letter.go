package msg

import (
	"bytes"
	"io"
	"sort"
	"strings"

	"decant/handler/internal/cfb"
	"decant/handler/internal/charset"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/mail"
)

// message is a message storage: the file itself, or one attached to it.
type message struct {
	storage cfb.Storage
	top     bool
	depth   int
	p       properties
}

// load reads the message's properties. Its header is 32 bytes at the top, 24 when attached (MS-OXMSG 2.4.1.1).
func (m *message) load() {
	size := 24
	if m.top {
		size = 32
	}
	m.p = load(m.storage, size, 0)
	m.p.codePage = m.p.integer(pidCodePage)
	if m.p.codePage == 0 || m.p.codePage == 1200 {
		m.p.codePage = m.p.integer(pidInternetCP)
	}
}

// letter makes the letter that the message is.
func (m *message) letter() *mail.Letter {
	p := &m.p
	l := &mail.Letter{Subject: strings.TrimSpace(p.text(pidSubject)), Other: map[string]string{}}
	if headers := p.text(pidHeaders); headers != "" {
		m.fromHeaders(l, headers)
	}
	if sender := m.sender(); len(l.From) == 0 && sender != (mail.Address{}) {
		l.From = []mail.Address{sender}
	}
	if l.Date == "" {
		l.Date = firstOf(p.moment(pidSubmitTime), p.moment(pidDeliveryTime), p.moment(pidCreated), p.moment(pidModified))
	}
	if l.MessageID == "" {
		l.MessageID = strings.Trim(p.first(pidMessageID), "<> ")
	}
	if class := p.text(pidMessageClass); class != "" {
		l.Other["message-class"] = class
	}
	m.recipients(l)
	m.body(l)
	m.facts(l)
	m.files(l)
	l.Encrypted = len(l.Bodies) == 0 && isEncrypted(p.text(pidMessageClass), l.Files)
	l.Repaired += p.damaged
	return l
}

// isEncrypted tells a message whose only content is a sealed attachment (OpenPGP, RFC 3156; S/MIME, MS-OXOSMIME).
func isEncrypted(class string, files []mail.File) bool {
	for _, f := range files {
		if f.Type == "application/pgp-encrypted" {
			return true
		}
	}
	return strings.EqualFold(class, "IPM.Note.SMIME")
}

// fromHeaders takes what the mail had on its way, when Outlook kept it.
func (m *message) fromHeaders(l *mail.Letter, headers string) {
	parsed := mail.FromMessage(mail.Parse(headers + "\r\n\r\n"))
	l.From, l.Date, l.MessageID, l.ReplyTo = parsed.From, parsed.Date, parsed.MessageID, parsed.ReplyTo
	for name, text := range parsed.Other {
		l.Other[name] = text
	}
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

func (m *message) sender() mail.Address {
	a := mail.Address{Name: m.p.first(pidSentName, pidSenderName), Email: m.p.first(pidSenderSMTP, pidSentSMTP, pidSenderEmail, pidSentEmail)}
	if strings.HasPrefix(a.Email, "/") { // an Exchange address ("/O=ORG/OU=...") says nothing to people
		a.Email = ""
	}
	return a
}

// recipients reads the storages of recipients; where there are none, the names that Outlook shows.
func (m *message) recipients(l *mail.Letter) {
	lists := map[int]*[]mail.Address{1: &l.To, 2: &l.Cc, 3: &l.Bcc}
	for _, s := range sorted(m.storage.Storages(), "__recip_version1.0_") {
		p := load(s, 8, m.p.codePage)
		a := mail.Address{Name: p.first(pidDisplayName), Email: p.first(pidSMTP, pidEmail)}
		if strings.HasPrefix(a.Email, "/") {
			a.Email = ""
		}
		if list := lists[p.integer(pidRecipientType)&0xF]; list != nil && a != (mail.Address{}) {
			*list = append(*list, a)
		}
	}
	if len(l.To)+len(l.Cc)+len(l.Bcc) == 0 {
		for id, list := range map[int]*[]mail.Address{pidDisplayTo: &l.To, pidDisplayCc: &l.Cc} {
			for _, name := range strings.Split(m.p.text(id), ";") {
				if name = strings.TrimSpace(name); name != "" {
					*list = append(*list, mail.Address{Name: name})
				}
			}
		}
	}
}

func sorted(list []cfb.Storage, prefix string) []cfb.Storage {
	var out []cfb.Storage
	for _, s := range list {
		if strings.HasPrefix(s.Name, prefix) {
			out = append(out, s)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// body finds the best form: HTML, HTML inside RTF, RTF, plain text.
func (m *message) body(l *mail.Letter) {
	plain := m.p.text(pidBody)
	add := func(kind, text string) bool {
		if strings.TrimSpace(text) == "" {
			return false
		}
		l.Bodies = append(l.Bodies, mail.Body{Kind: kind, Text: text, Path: "body"})
		return true
	}
	if html := m.html(); html != "" && mail.HasContent(html) && add("html", html) {
		return
	}
	rtf := unpackRTF(m.p.bytes(pidRTF, typeBinary))
	if html, ok := deencapsulate(rtf, m.p.codePage); ok && mail.HasContent(html) && add("html", html) {
		return
	}
	if !add("text", plain) {
		add("text", rtfText(rtf, m.p.codePage))
	}
}

func (m *message) html() string {
	if data := m.p.bytes(pidHTML, typeBinary); len(data) > 0 {
		name, _, _ := charset.CodePage(m.p.integer(pidInternetCP))
		return charset.Decode(string(data), append(htmldoc.Declared(string(data)), name)...).String
	}
	return m.p.text(pidHTML)
}

// facts are what contacts have instead of a body.
func (m *message) facts(l *mail.Letter) {
	if !strings.HasPrefix(strings.ToUpper(m.p.text(pidMessageClass)), "IPM.CONTACT") {
		return
	}
	var lines []string
	for _, f := range []struct {
		label string
		id    int
	}{
		{"Name", pidDisplayName}, {"Company", pidCompany}, {"Job title", pidJobTitle}, {"Business phone", pidBusinessPhone},
		{"Mobile phone", pidMobilePhone}, {"Home phone", pidHomePhone}, {"Address", pidPostalAddress},
	} {
		if value := strings.TrimSpace(m.p.text(f.id)); value != "" {
			lines = append(lines, f.label+": "+strings.Join(strings.Fields(value), " "))
		}
	}
	if len(lines) > 0 {
		l.Bodies = append([]mail.Body{{Kind: "text", Text: strings.Join(lines, "\n"), Path: "contact"}}, l.Bodies...)
	}
}

// Methods of attachments (MS-OXCMSG 2.2.2.9).
const (
	attachEmbedded = 5
	attachOLE      = 6
)

func (m *message) files(l *mail.Letter) {
	for i, s := range sorted(m.storage.Storages(), "__attach_version1.0_") {
		p := load(s, 8, m.p.codePage)
		f := mail.File{
			Name: p.first(pidAttachLong, pidAttachShort, pidDisplayName), Type: strings.ToLower(p.first(pidAttachMIME)),
			ID: strings.Trim(p.first(pidAttachID), "<> "), Place: p.first(pidAttachPlace), Path: s.Name,
		}
		f.Inline = f.ID != "" && (p.isTrue(pidAttachHidden) || p.integer(pidAttachFlags)&4 != 0)
		if p.integer(pidAttachMethod) == attachEmbedded {
			if !m.nested(l, s, f) {
				l.Repaired++
			}
			continue
		}
		data := p.bytes(pidAttachData, typeBinary)
		if f.Name == "" {
			f.Name = "attachment-" + string(rune('1'+i%9))
		}
		if len(data) == 0 && p.integer(pidAttachMethod) != 1 {
			l.Other["attachment-by-reference"] = f.Name
			if p.integer(pidAttachMethod) == attachOLE {
				l.Repaired++
			}
			continue
		}
		f.Open = func() io.Reader { return bytes.NewReader(data) }
		l.Files = append(l.Files, f)
	}
}
