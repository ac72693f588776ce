package mail

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"decant/handler/internal/children"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/textfile"
)

// Write adds the letter to the document: subject, headers, body, pictures; what came with it becomes documents of their own.
// A letter whose only content is encrypted is a fault.
func (l *Letter) Write(ctx context.Context, in *format.Input, d *doc.Document) error {
	if l.Encrypted && len(l.Bodies) == 0 {
		return fault.New(fault.Encrypted, "The mail is encrypted. Open it in a mail program that has the key, and save it decrypted.", nil)
	}
	w := writer{ctx: ctx, in: in, d: d, l: l, shown: map[string]bool{}}
	d.Blocks = append(d.Blocks, w.head()...)
	for _, body := range l.Bodies {
		if err := w.body(body); err != nil {
			return err
		}
	}
	if err := w.files(); err != nil {
		return err
	}
	w.warn()
	return nil
}

// Describe fills the document's metadata from the letter.
func (l *Letter) Describe(d *doc.Document) {
	m := &d.Metadata
	m.Title, m.Created, m.Encrypted = l.Subject, l.Date, l.Encrypted
	m.Sources = map[string]string{}
	for field, value := range map[string]string{"title": l.Subject, "created": l.Date} {
		if value != "" {
			m.Sources[field] = "mail header"
		}
	}
	for _, a := range l.From {
		if name := a.Name; name != "" {
			m.Authors = append(m.Authors, name)
		} else if a.Email != "" {
			m.Authors = append(m.Authors, a.Email)
		}
	}
	if l.MessageID != "" {
		m.Identifiers = append(m.Identifiers, doc.Identifier{Scheme: "message-id", Value: l.MessageID, Source: "mail header"})
	}
	m.Other = map[string]string{}
	for name, text := range l.Other {
		m.Other[name] = text
	}
	for name, people := range map[string][]Address{"from": l.From, "to": l.To, "cc": l.Cc, "bcc": l.Bcc, "reply-to": l.ReplyTo} {
		if text := joinAddresses(people); text != "" {
			m.Other[name] = text
		}
	}
}

func joinAddresses(people []Address) string {
	var list []string
	for _, a := range people {
		list = append(list, a.String())
	}
	return strings.Join(list, ", ")
}

// writer is one letter on its way into a document.
type writer struct {
	ctx   context.Context
	in    *format.Input
	d     *doc.Document
	l     *Letter
	shown map[string]bool // paths of files that the HTML body shows
}

// head is the subject as a heading and the headers that people look at.
func (w *writer) head() []doc.Block {
	l := w.l
	var blocks []doc.Block
	if l.Subject != "" {
		blocks = append(blocks, doc.H(1, l.Subject, doc.Place{Part: "headers"}))
	}
	facts := []fact{
		{"From", joinAddresses(l.From)}, {"To", joinAddresses(l.To)}, {"Cc", joinAddresses(l.Cc)}, {"Bcc", joinAddresses(l.Bcc)},
		{"Date", l.Date}, {"Attachments", l.fileNames()},
	}
	if l.Date == "" {
		facts[4].value = l.Other["date"]
	}
	if lines := factBlocks(facts, doc.Place{Part: "headers"}); len(lines) > 0 {
		blocks = append(blocks, doc.Block{Kind: doc.Group, Role: doc.RoleHeaders, Children: lines})
	}
	return blocks
}

func (l *Letter) fileNames() string {
	var names []string
	for _, f := range l.Files {
		if !f.Inline || !strings.HasPrefix(f.Type, "image/") {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

func (w *writer) body(b Body) error {
	place := doc.Place{Part: b.Path}
	if place.Part == "" {
		place.Part = "body"
	}
	switch b.Kind {
	case "html":
		return htmldoc.Convert(w.ctx, w.d, b.Text, htmldoc.Options{
			Files: w.in.Files, Hidden: w.in.Options.Hidden, Place: place, Resource: w.resource,
		})
	case "calendar":
		w.add(Calendar(b.Text, 2, place))
	case "contact":
		w.add(Contacts(b.Text, 2, place))
	case "headers":
		w.add([]doc.Block{{Kind: doc.Code, Text: strings.TrimSpace(b.Text), Places: []doc.Place{place}}})
	default:
		text := b.Text
		if textfile.IsLarge(w.in, len(text)) {
			return textfile.Lean(w.ctx, w.in, w.d, text, "")
		}
		w.add(plainBlocks(text, b.Kind == "flowed", place))
	}
	return nil
}

func (w *writer) add(blocks []doc.Block) { w.d.Blocks = append(w.d.Blocks, blocks...) }

// maxPicture is the size in bytes above which a picture of a mail is left an attachment.
const maxPicture = 64 << 20

// resource gives a picture that the HTML body shows by its Content-ID or Content-Location.
func (w *writer) resource(reference string) ([]byte, string) {
	id, isID := cutPrefixFold(reference, "cid:")
	if unescaped, err := url.PathUnescape(id); err == nil {
		id = unescaped
	}
	for i := range w.l.Files {
		f := &w.l.Files[i]
		if isID && f.ID != "" && f.ID == id || f.Place != "" && f.Place == reference {
			data, err := io.ReadAll(io.LimitReader(f.Open(), maxPicture+1))
			if err != nil || len(data) > maxPicture {
				return nil, ""
			}
			w.shown[f.Path] = true
			return data, f.Type
		}
	}
	return nil, ""
}

// files saves what came with the letter and was not shown. Pictures that belong to the text but are shown nowhere follow it.
func (w *writer) files() error {
	for i, f := range w.l.Files {
		w.in.Progress(i+1, len(w.l.Files))
		if w.shown[f.Path] {
			continue
		}
		if f.Inline && strings.HasPrefix(f.Type, "image/") && w.picture(f) {
			continue
		}
		err := children.Add(w.ctx, w.in, w.d, children.Child{Name: f.Name, MediaType: f.Type, Inline: f.Inline, Content: f.Open()})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) picture(f File) bool {
	data, err := io.ReadAll(io.LimitReader(f.Open(), maxPicture+1))
	if err != nil || len(data) > maxPicture || len(data) == 0 {
		return false
	}
	img, err := w.in.Files.Image(data, f.Type, f.Name, f.Name)
	if err != nil {
		return false
	}
	if w.d.Image(img.ID) == nil {
		w.d.Images = append(w.d.Images, img)
	}
	w.add([]doc.Block{{Kind: doc.Figure, Image: img.ID, Places: []doc.Place{{Part: f.Path}}}})
	return true
}

// warn reports what reading the message had to repair or leave out.
func (w *writer) warn() {
	l := w.l
	times := func(class doc.Class, n int, message string) {
		if n > 0 {
			w.d.Warn(class, message)
			w.d.Warnings[len(w.d.Warnings)-1].Count = n
		}
	}
	times("unclosed_boundary", l.Unclosed, "A multipart has no closing boundary; the message may be cut off.")
	times("header_repaired", l.Repaired, "Header fields break the rules and were read as well as possible.")
	times("duplicate_part", l.Dropped, "The plain form of a body that is there as HTML too was left out.")
	times("nesting_flattened", l.Flattened, "Parts are nested deeper than the limit; they were read side by side.")
	if l.Cut {
		w.d.Warn("limit_reached", "The mail has more parts, or mails deeper inside one another, than are read; the rest was left out.")
	}
	for _, where := range l.Elsewhere {
		w.d.Warn("external_reference", fmt.Sprintf("The mail names a file that is elsewhere (%s); it was not fetched.", where))
	}
	if l.Signed {
		w.d.Warn("signature_unchecked", "The mail is signed; the signature was not checked.")
	}
	if l.Encrypted {
		w.d.Warn("unsupported_part", fmt.Sprintf("An encrypted part of the mail %q could not be read.", l.Subject))
	}
}
