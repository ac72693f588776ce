package msg

import (
	"bytes"
	"context"
	"unicode/utf16"

	"decant/handler/internal/cfb"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Format describes Outlook messages.
func Format() format.Format {
	return format.Format{
		Name: "msg", Title: "Outlook message",
		Extensions: []string{".msg", ".oft"}, MediaTypes: []string{"application/vnd.ms-outlook"},
		Description: "headers, HTML, RTF or plain body, inline pictures, attachments and nested messages as documents; appointments, contacts, tasks",
		Match:       match,
		Parse:       parse,
	}
}

var propertiesName = wide("__properties_version1.0")

// match looks for the name of the property stream, which every message has near its start or, in large files, anywhere.
func match(h *format.Head) int {
	if !h.HasPrefix(cfb.Magic) {
		return 0
	}
	if bytes.Contains(h.Bytes, propertiesName) || bytes.Contains(h.Tail, propertiesName) || bytes.Contains(h.Bytes, wide("__substg1.0_")) {
		return 98
	}
	if h.HasExtension(".msg", ".oft") {
		return 60
	}
	return 0
}

func wide(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	f, err := cfb.Open(in, in.Size)
	if err != nil {
		return nil, fault.New(fault.Corrupt, "", err)
	}
	m := message{storage: f.Root(), top: true}
	if !f.Root().Has("__properties_version1.0") {
		return nil, fault.New(fault.Corrupt, "The file is an OLE2 container, but has no Outlook message in it.", nil)
	}
	m.load()
	letter := m.letter()
	d := &doc.Document{}
	letter.Describe(d)
	d.Metadata.Application = "Microsoft Outlook"
	return d, letter.Write(ctx, in, d)
}
