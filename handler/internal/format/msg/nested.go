package msg

import (
	"bytes"
	"io"

	"decant/handler/internal/cfb"
	"decant/handler/internal/mail"
)

// maxNested is how deep messages in messages are followed inside one file.
const maxNested = 8

// nested adds a message that is attached to the message. It has no bytes of its own in the file, so it is written as a mail. False: there
// is no message in the attachment. One that is too deep is left out, which the letter tells.
func (m *message) nested(l *mail.Letter, attachment cfb.Storage, f mail.File) bool {
	if m.depth >= maxNested {
		l.Cut = true
		return true
	}
	for _, s := range attachment.Storages() {
		if s.Name != "__substg1.0_3701000D" {
			continue
		}
		inner := message{storage: s, depth: m.depth + 1}
		inner.load()
		letter := inner.letter()
		f.Type = "message/rfc822"
		f.Name = mail.FileName(letter.Subject) + ".eml"
		f.Open = func() io.Reader {
			var b bytes.Buffer
			letter.Encode(&b)
			return &b
		}
		l.Files = append(l.Files, f)
		return true
	}
	return false
}
