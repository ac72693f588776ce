package ics

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/mail"
	"decant/handler/internal/textfile"
)

// Calendar describes calendars.
func Calendar() format.Format {
	return format.Format{
		Name: "ics", Title: "Calendar",
		Extensions: []string{".ics", ".ifb", ".vcs"}, MediaTypes: []string{"text/calendar"},
		Description: "events and tasks with time, place, people and description",
		Match:       func(h *format.Head) int { return begins(h, "BEGIN:VCALENDAR") },
		Parse:       parser(mail.Calendar),
	}
}

// Contacts describes contacts.
func Contacts() format.Format {
	return format.Format{
		Name: "vcf", Title: "Contacts",
		Extensions: []string{".vcf", ".vcard"}, MediaTypes: []string{"text/vcard"},
		Description: "people with organization, addresses and numbers",
		Match:       func(h *format.Head) int { return begins(h, "BEGIN:VCARD") },
		Parse:       parser(mail.Contacts),
	}
}

func begins(h *format.Head, sign string) int {
	text := strings.TrimSpace(h.Text[:min(len(h.Text), 1024)])
	if len(text) >= len(sign) && strings.EqualFold(text[:len(sign)], sign) {
		return 95
	}
	return 0
}

func parser(blocks func(string, int, doc.Place) []doc.Block) func(context.Context, *format.Input) (*doc.Document, error) {
	return func(_ context.Context, in *format.Input) (*doc.Document, error) {
		d := &doc.Document{}
		text, err := textfile.Read(in, d)
		if err != nil {
			return nil, err
		}
		d.Blocks = blocks(text, 1, doc.Place{})
		return d, nil
	}
}
