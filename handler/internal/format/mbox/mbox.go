package mbox

import (
	"context"
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/mail"
	"decant/handler/internal/textfile"
)

// Format describes a mailbox.
func Format() format.Format {
	return format.Format{
		Name: "mbox", Title: "Mailbox",
		Extensions:  []string{".mbox", ".mbx"},
		MediaTypes:  []string{"application/mbox"},
		Description: "every message of a mailbox, attachments as documents",
		Match:       match,
		Parse:       parse,
	}
}

// envelope is the line before each message: "From sender date".
var envelope = lazyregexp.New(`^From \S+ .*\d\d:\d\d.*$|^From \S+.*\d{4}$`)

// postmark is an envelope line as programs write it, with a whole date: no sentence looks like it. No blank line need stand before it.
var postmark = lazyregexp.New(`^From \S+ +(?:[A-Z][a-z]{2},? +)?(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} +[A-Z][a-z]{2}) +(?:\d{4} +)?\d{1,2}:\d\d(?::\d\d)?(?: +\S+){0,2}$`)

// field is a line of a header.
var field = lazyregexp.New(`^[A-Za-z][\w-]*:(?:[ \t]|\r?$)`)

// match needs an envelope line. A single message that was cut out of a mailbox with its envelope is a mail all the same.
func match(h *format.Head) int {
	if !strings.HasPrefix(h.Text, "From ") {
		return 0
	}
	line, _, _ := strings.Cut(h.Text, "\n")
	switch {
	case !envelope.MatchString(strings.TrimRight(line, "\r")):
		return 0
	case h.HasExtension(".mbox", ".mbx") || len(split(h.Text)) > 1:
		return 92
	}
	return 70
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	raw, err := textfile.ReadRaw(in)
	if err != nil {
		return nil, err
	}
	d := &doc.Document{}
	messages := split(raw)
	for i, text := range messages {
		in.Progress(i+1, len(messages))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := addMessage(ctx, in, d, text, i+1); err != nil {
			return nil, err
		}
	}
	d.Metadata.Other = map[string]string{"messages": fmt.Sprint(len(messages))}
	return d, nil
}

// addMessage adds one message as a part. One that cannot be read is a warning: the mailbox has others.
func addMessage(ctx context.Context, in *format.Input, d *doc.Document, text string, number int) error {
	letter := mail.FromMessage(mail.Parse(text))
	before := len(d.Blocks)
	if err := letter.Write(ctx, in, d); err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.Warn("unsupported_part", fmt.Sprintf("Message %d (%s) could not be read: %v", number, letter.Subject, err))
		return nil
	}
	label := letter.Subject
	if label == "" {
		label = fmt.Sprintf("Message %d", number)
	}
	children := append([]doc.Block(nil), d.Blocks[before:]...)
	doc.Walk(children, func(b *doc.Block) bool {
		for i := range b.Places {
			b.Places[i].Part = fmt.Sprintf("%d/%s", number, b.Places[i].Part)
		}
		return true
	})
	d.Blocks = append(d.Blocks[:before], doc.Block{Kind: doc.Group, Role: doc.RolePart, Label: label, Children: children})
	return nil
}

// split cuts a mailbox at the envelope lines that a header field follows, and a blank line precedes unless they are beyond doubt.
func split(raw string) []string {
	var starts []int
	for pos := 0; ; {
		at := strings.Index(raw[pos:], "From ")
		if at < 0 {
			break
		}
		at += pos
		pos = at + 5
		if isStart(raw, at) {
			starts = append(starts, at)
		}
	}
	var list []string
	for i, start := range starts {
		end := len(raw)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		_, body, _ := strings.Cut(raw[start:end], "\n")
		list = append(list, unstuff(body))
	}
	if len(list) == 0 {
		return []string{raw}
	}
	return list
}

func isStart(raw string, at int) bool {
	if at > 0 && raw[at-1] != '\n' {
		return false
	}
	line, rest, ok := strings.Cut(raw[at:min(len(raw), at+2000)], "\n")
	next, _, _ := strings.Cut(rest, "\n")
	followed := ok && (field.MatchString(next) || strings.HasPrefix(next, ">From "))
	if line = strings.TrimRight(line, "\r "); postmark.MatchString(line) && (followed || at == 0 && ok) {
		return true
	}
	return followed && blankBefore(raw, at) && (envelope.MatchString(line) || strings.ContainsAny(line, "0123456789"))
}

// blankBefore tells whether a blank line, or nothing, stands before.
func blankBefore(raw string, at int) bool {
	return at < 2 || strings.HasSuffix(raw[:at], "\n\n") || strings.HasSuffix(raw[:at], "\n\r\n")
}

// stuffed is a line of text that begins like an envelope and was quoted for that.
var stuffed = lazyregexp.New(`(?m)^>(>*From )`)

func unstuff(body string) string {
	if !strings.Contains(body, ">From ") {
		return body
	}
	return stuffed.ReplaceAllString(body, "$1")
}
