package eml

import (
	"context"
	"slices"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/mail"
	"decant/handler/internal/textfile"
)

// Format describes a mail.
func Format() format.Format {
	return format.Format{
		Name: "eml", Title: "Mail",
		Extensions:  []string{".eml", ".emlx"},
		MediaTypes:  []string{"message/rfc822"},
		Description: "headers in any encoding, one body, inline pictures, attachments and nested mails as documents, calendars, contacts",
		Match:       match,
		Parse:       parse,
	}
}

// fields are the header fields of mails, in lower case; families are others, by their beginnings and what they may go on with.
var (
	fields   = strings.Fields("return-path received from to cc bcc subject date message-id mime-version content-transfer-encoding delivered-to reply-to sender dkim-signature authentication-results in-reply-to references importance user-agent status")
	families = []struct{ begin, rest string }{
		{"x-", "abcdefghijklmnopqrstuvwxyz0123456789-"}, {"arc-", "abcdefghijklmnopqrstuvwxyz-"}, {"list-", "abcdefghijklmnopqrstuvwxyz-"},
		{"thread-", "abcdefghijklmnopqrstuvwxyz"}, {"content-", "abcdefghijklmnopqrstuvwxyz"},
	}
)

// field gives the name of the header field with which a line begins, in lower case, or "". It is no regular expression, as every
// text is looked at by this, in a process of its own: to compile one takes longer than to read a small document.
func field(line string) string {
	name, _, found := strings.Cut(line, ":")
	if !found {
		return ""
	}
	name = strings.ToLower(name[:min(len(name), 1000)])
	if slices.Contains(fields, name) {
		return name
	}
	for _, f := range families {
		if rest, ok := strings.CutPrefix(name, f.begin); ok && rest != "" && strings.Trim(rest, f.rest) == "" {
			return name
		}
	}
	return ""
}

// match counts the header fields of mails at the top of the text.
func match(h *format.Head) int {
	text := h.Text
	if text == "" && charset.IsText(h.Bytes) {
		text = charset.Decode(string(h.Bytes)).String
	}
	known, other := 0, 0
	strong := false
	for _, line := range strings.Split(text[:min(len(text), 16<<10)], "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case known+other == 0 && strings.HasPrefix(line, "From "), line == "" && known+other == 0, strings.HasPrefix(line, " "), strings.HasPrefix(line, "\t"), strings.HasPrefix(line, ">From "):
			continue
		case line == "":
			return score(known, other, strong, h)
		}
		if name := field(line); name != "" {
			known++
			strong = strong || name == "received" || name == "message-id" || name == "mime-version" || name == "return-path" || name == "from"
		} else if other++; other > known+3 {
			return 0
		}
	}
	return score(known, other, strong, h)
}

func score(known, other int, strong bool, h *format.Head) int {
	switch {
	case known >= 3 && strong && other <= known:
		return 80
	case known >= 2 && strong:
		return 45
	case known >= 1 && h.HasExtension(".eml", ".emlx"):
		return 40
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	raw, err := textfile.ReadRaw(in)
	if err != nil {
		return nil, err
	}
	if t := charset.Decode(raw[:min(len(raw), 4<<10)]); strings.HasPrefix(t.Name, "utf-16") || strings.HasPrefix(t.Name, "utf-32") {
		raw = charset.Decode(raw).String
	}
	raw = strings.TrimPrefix(raw, "\xEF\xBB\xBF")
	if strings.TrimSpace(raw) == "" {
		return nil, fault.New(fault.Corrupt, "The file has no mail in it, only white space.", nil)
	}
	d := &doc.Document{}
	letter := mail.FromMessage(mail.Parse(emlx(raw, in.Name)))
	letter.Describe(d)
	return d, letter.Write(ctx, in, d)
}

// emlx takes off the count of bytes in the first line of Apple's files.
func emlx(raw, name string) string {
	if !strings.HasSuffix(strings.ToLower(name), ".emlx") {
		return raw
	}
	if line, rest, ok := strings.Cut(raw, "\n"); ok && strings.Trim(line, "0123456789 \r") == "" {
		return rest
	}
	return raw
}
