package mail

import (
	"net/mail"
	"strings"
	"time"

	"decant/handler/internal/lazyregexp"
)

// layouts are forms of dates that net/mail does not read and mailers write.
var layouts = []string{
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04 -0700", "2 Jan 06 15:04:05 -0700", "2 Jan 2006 15:04:05", "2 Jan 2006 15:04",
	"Jan 2 2006 15:04:05 -0700", "Jan 2 15:04:05 2006", "Jan 2 15:04:05 2006 -0700", "Jan 2, 2006 15:04:05", "Jan 2, 2006 3:04 PM", "Jan 2, 2006 3:04:05 PM",
	"January 2, 2006 15:04:05", "January 2, 2006 3:04 PM", "January 2, 2006 3:04:05 PM", "2 January 2006 15:04:05", "2 January 2006 15:04", "2 January 2006",
	time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02",
	"02/01/2006 15:04:05", "02.01.2006 15:04:05", "02.01.2006 15:04", "1/2/2006 3:04:05 PM", "1/2/2006 3:04 PM", "2-Jan-2006 15:04:05 -0700", "2-Jan-2006 15:04:05",
}

var (
	dateComment = lazyregexp.New(`\s*\([^)]*\)?\s*$`)
	weekday     = lazyregexp.New(`^\s*\p{L}{2,9}\.?,?\s+(\d|\p{L}{3})`)
	zoneName    = lazyregexp.New(`\s+(UTC|GMT|UT|Z|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CET|CEST|BST|MSK|JST|IST|AEST)$`)
	zoneColon   = lazyregexp.New(`([+-]\d\d):(\d\d)$`)
)

// zones are offsets of names (RFC 5322, 4.3, and the usual ones of Europe and Asia).
var zones = map[string]string{
	"UTC": "+0000", "GMT": "+0000", "UT": "+0000", "Z": "+0000", "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600",
	"PST": "-0800", "PDT": "-0700", "CET": "+0100", "CEST": "+0200", "BST": "+0100", "MSK": "+0300", "JST": "+0900", "IST": "+0530", "AEST": "+1000",
}

// Date gives a date header in RFC 3339, or "" when it cannot be read. A date without a zone is given without one.
func Date(header string) string {
	header = strings.Join(strings.Fields(header), " ")
	if header == "" {
		return ""
	}
	text := dateComment.ReplaceAllString(header, "")
	text = zoneName.ReplaceAllStringFunc(text, func(zone string) string { return " " + zones[strings.TrimSpace(zone)] })
	text = zoneColon.ReplaceAllString(text, "$1$2")
	if t, err := mail.ParseDate(text); err == nil {
		return t.Format(time.RFC3339)
	}
	if m := weekday.FindStringSubmatchIndex(text); m != nil {
		text = text[m[2]:]
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if strings.Contains(layout, "-0700") || layout == time.RFC3339 {
			return t.Format(time.RFC3339)
		}
		return t.Format("2006-01-02T15:04:05")
	}
	return ""
}
