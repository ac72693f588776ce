package msg

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"path"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/mail"
)

const tnefMagic = "\x78\x9f\x3e\x22"

// TNEF describes what Outlook wraps mails in for other Outlooks: "winmail.dat".
func TNEF() format.Format {
	return format.Format{
		Name: "tnef", Title: "Outlook's winmail.dat",
		Extensions: []string{".tnef"}, MediaTypes: []string{"application/ms-tnef", "application/vnd.ms-tnef"},
		Description: "the body and the attachments inside",
		Match: func(h *format.Head) int {
			if h.HasPrefix(tnefMagic) {
				return format.Certain
			}
			return 0
		},
		Parse: parseTNEF,
	}
}

// Attributes of a stream (MS-OXTNEF 2.1.3.3).
const (
	tnefSubject   = 0x00018004
	tnefBody      = 0x0002800C
	tnefFileStart = 0x00069002
	tnefFileTitle = 0x00018010
	tnefFileData  = 0x0006800F
	tnefFileProps = 0x00069005
	tnefProps     = 0x00069003
	tnefCodePage  = 0x00069007
)

// maxTNEF is the largest stream that is read, in bytes.
const maxTNEF = 1 << 30

func parseTNEF(ctx context.Context, in *format.Input) (*doc.Document, error) {
	if in.Size > maxTNEF || in.Limits.Memory > 0 && in.Size > in.Limits.Memory/4 {
		return nil, fault.New(fault.TooLarge, "", nil)
	}
	data, err := io.ReadAll(in.Reader())
	if err != nil {
		return nil, err
	}
	t := tnef{letter: &mail.Letter{Other: map[string]string{}}, codePage: 1252}
	t.read(data)
	t.finish()
	d := &doc.Document{}
	if t.cut {
		d.Warn("truncated", "The file ends early; what was there was read.")
	}
	if len(t.letter.Bodies)+len(t.letter.Files) == 0 && t.letter.Subject == "" {
		return nil, fault.New(fault.Corrupt, "The winmail.dat has neither a body nor files in it.", nil)
	}
	t.letter.Describe(d)
	return d, t.letter.Write(ctx, in, d)
}

// tnef is a stream on its way into a letter.
type tnef struct {
	letter   *mail.Letter
	codePage int
	plain    string
	props    tnefProperties
	file     *mail.File
	cut      bool
}

// read walks over the attributes: level, id, length, data, checksum (MS-OXTNEF 2.1.3.2).
func (t *tnef) read(data []byte) {
	data = data[min(len(data), 6):] // the signature and a key
	for len(data) >= 9 {
		id, size := int(binary.LittleEndian.Uint32(data[1:])), int64(binary.LittleEndian.Uint32(data[5:]))
		data = data[9:]
		if size > int64(len(data)) {
			t.cut = true
			t.attribute(id, data)
			return
		}
		t.attribute(id, data[:size])
		data = data[min(len(data), int(size)+2):]
	}
}

func (t *tnef) attribute(id int, data []byte) {
	switch id {
	case tnefCodePage:
		if len(data) >= 4 {
			t.codePage = int(binary.LittleEndian.Uint32(data))
		}
	case tnefSubject:
		t.letter.Subject = t.text(data)
	case tnefBody:
		t.plain = t.text(data)
	case tnefProps:
		t.props = readTNEFProperties(data)
	case tnefFileStart:
		t.endFile()
		t.file = &mail.File{}
	case tnefFileTitle, tnefFileData, tnefFileProps:
		if t.file == nil {
			t.file = &mail.File{}
		}
		t.fileAttribute(id, data)
	}
}

func (t *tnef) fileAttribute(id int, data []byte) {
	switch id {
	case tnefFileTitle:
		if t.file.Name == "" {
			t.file.Name = t.text(data)
		}
	case tnefFileData:
		t.file.Open = func() io.Reader { return bytes.NewReader(data) }
	case tnefFileProps:
		p := readTNEFProperties(data)
		if name := firstOf(p.text(pidAttachLong, t.codePage), p.text(pidDisplayName, t.codePage)); name != "" {
			t.file.Name = name
		}
		t.file.Type = strings.ToLower(p.text(pidAttachMIME, t.codePage))
		t.file.ID = strings.Trim(p.text(pidAttachID, t.codePage), "<> ")
		// An attached message is an object: the id of its interface, then a stream of its own (MS-OXTNEF 2.1.3.4).
		if object := p.values[pidAttachData]; len(object) > 16 && bytes.HasPrefix(object[16:], []byte(tnefMagic)) {
			t.file.Name = strings.TrimSuffix(t.file.Name, path.Ext(t.file.Name)) + ".tnef"
			t.file.Open = func() io.Reader { return bytes.NewReader(object[16:]) }
		}
	}
}

func (t *tnef) endFile() {
	if t.file == nil || t.file.Open == nil {
		t.file = nil
		return
	}
	if t.file.Name == "" {
		t.file.Name = "attachment-" + string(rune('1'+len(t.letter.Files)%9))
	}
	t.file.Path = "file-" + t.file.Name
	t.file.Inline = t.file.ID != ""
	t.letter.Files = append(t.letter.Files, *t.file)
	t.file = nil
}

// finish finds the best form of the body: HTML, HTML inside RTF, plain text, RTF.
func (t *tnef) finish() {
	t.endFile()
	l, p := t.letter, t.props
	l.Subject = strings.TrimSpace(firstOf(p.text(pidSubject, t.codePage), l.Subject))
	if name, address := p.text(pidSenderName, t.codePage), firstOf(p.text(pidSenderSMTP, t.codePage), p.text(pidSenderEmail, t.codePage)); name+address != "" {
		l.From = []mail.Address{{Name: name, Email: address}}
	}
	rtf := unpackRTF(p.values[pidRTF])
	inRTF, _ := deencapsulate(rtf, t.codePage)
	html := string(p.values[pidHTML])
	html = charset.Decode(html, htmldoc.Declared(html)...).String
	plain := firstOf(t.plain, p.text(pidBody, t.codePage))
	switch {
	case html != "" && mail.HasContent(html):
		l.Bodies = append(l.Bodies, mail.Body{Kind: "html", Text: html, Path: "body"})
	case inRTF != "" && mail.HasContent(inRTF):
		l.Bodies = append(l.Bodies, mail.Body{Kind: "html", Text: inRTF, Path: "body"})
	case strings.TrimSpace(plain) != "":
		l.Bodies = append(l.Bodies, mail.Body{Kind: "text", Text: plain, Path: "body"})
	case strings.TrimSpace(rtf) != "":
		l.Bodies = append(l.Bodies, mail.Body{Kind: "text", Text: rtfText(rtf, t.codePage), Path: "body"})
	}
}

func (t *tnef) text(data []byte) string { return codePageText(data, t.codePage) }

func codePageText(data []byte, codePage int) string {
	name, _, _ := charset.CodePage(codePage)
	return strings.TrimRight(charset.Decode(strings.TrimRight(string(data), "\x00"), name).String, "\x00")
}
