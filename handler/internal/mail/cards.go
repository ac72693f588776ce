package mail

import (
	"fmt"
	"strings"
	"time"

	"decant/handler/internal/doc"
)

// property is one line of a calendar or contact (RFC 5545, RFC 6350).
type property struct {
	name   string // upper case
	params map[string]string
	value  string
}

// properties unfolds the lines of a calendar or contact.
func properties(text string) []property {
	var lines []string
	for text != "" {
		var line string
		line, text = cutLine(text)
		soft := len(lines) > 0 && strings.HasSuffix(lines[len(lines)-1], "=") && strings.Contains(strings.ToUpper(lines[len(lines)-1]), "QUOTED-PRINTABLE")
		switch {
		case soft:
			lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], "=") + line
		case len(lines) > 0 && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")):
			lines[len(lines)-1] += line[1:]
		case line != "":
			lines = append(lines, line)
		}
	}
	var list []property
	for _, line := range lines {
		head, value := cutValue(line)
		if head == "" {
			continue
		}
		name, params := parameters(head)
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i+1:] // a group: "item1.EMAIL"
		}
		if strings.EqualFold(params["encoding"], "quoted-printable") {
			value = plainText(unquote(value, '='))
		}
		list = append(list, property{strings.ToUpper(name), params, unescape(value)})
	}
	return list
}

// cutValue cuts at the first colon outside of quotes.
func cutValue(line string) (head, value string) {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			return line[:i], line[i+1:]
		}
	}
	return "", ""
}

var unescaper = strings.NewReplacer(`\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\\`, `\`)

func unescape(s string) string { return unescaper.Replace(s) }

// eventFields are shown of an event, in this order.
var eventFields = []struct{ name, label string }{
	{"DTSTART", "Start"}, {"DTEND", "End"}, {"DUE", "Due"}, {"DURATION", "Duration"}, {"RRULE", "Repeats"}, {"LOCATION", "Location"}, {"ORGANIZER", "Organizer"},
	{"ATTENDEE", "Attendee"}, {"STATUS", "Status"}, {"PRIORITY", "Priority"}, {"CATEGORIES", "Categories"}, {"URL", "URL"},
}

// Calendar makes blocks of a calendar: a heading for each event or task, its facts and its description.
func Calendar(text string, level int, place doc.Place) []doc.Block {
	var blocks []doc.Block
	var item map[string][]property
	depth := 0
	for _, p := range properties(text) {
		value := strings.ToUpper(p.value)
		switch {
		case p.name == "BEGIN" && (value == "VEVENT" || value == "VTODO" || value == "VJOURNAL"):
			item, depth = map[string][]property{}, 0
		case p.name == "BEGIN":
			depth++
		case p.name == "END" && depth > 0:
			depth--
		case p.name == "END" && item != nil:
			blocks = append(blocks, event(item, level, place)...)
			item = nil
		case item != nil && depth == 0:
			item[p.name] = append(item[p.name], p)
		}
	}
	return blocks
}

func event(item map[string][]property, level int, place doc.Place) []doc.Block {
	title := "Event"
	if s := item["SUMMARY"]; len(s) > 0 && s[0].value != "" {
		title = s[0].value
	}
	blocks := []doc.Block{doc.H(level, title, place)}
	var facts []fact
	for _, f := range eventFields {
		var values []string
		for _, p := range item[f.name] {
			values = append(values, eventValue(p))
		}
		if len(values) > 0 {
			facts = append(facts, fact{f.label, strings.Join(values, ", ")})
		}
	}
	blocks = append(blocks, factBlocks(facts, place)...)
	if s := item["DESCRIPTION"]; len(s) > 0 {
		blocks = append(blocks, linesBlock(s[0].value, place)...)
	}
	return blocks
}

// eventValue shows dates in ISO 8601 and people by name and address.
func eventValue(p property) string {
	switch p.name {
	case "DTSTART", "DTEND", "DUE":
		return calendarDate(p)
	case "ORGANIZER", "ATTENDEE":
		email := p.value
		if rest, ok := cutPrefixFold(email, "mailto:"); ok {
			email = rest
		}
		return Address{Name: p.params["cn"], Email: email}.String()
	}
	return p.value
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

func calendarDate(p property) string {
	for _, layout := range []struct{ in, out string }{
		{"20060102T150405Z", "2006-01-02 15:04 UTC"}, {"20060102T150405", "2006-01-02 15:04"}, {"20060102", "2006-01-02"},
	} {
		if t, err := time.Parse(layout.in, p.value); err == nil {
			text := t.Format(layout.out)
			if zone := p.params["tzid"]; zone != "" {
				text += fmt.Sprintf(" (%s)", zone)
			}
			return text
		}
	}
	return p.value
}

// contactFields are shown of a contact, in this order.
var contactFields = []struct{ name, label string }{
	{"ORG", "Organization"}, {"TITLE", "Title"}, {"ROLE", "Role"}, {"EMAIL", "Email"}, {"TEL", "Phone"}, {"ADR", "Address"}, {"URL", "URL"},
	{"BDAY", "Birthday"}, {"NICKNAME", "Nickname"}, {"CATEGORIES", "Categories"},
}

// Contacts makes blocks of vCards: a heading with the name and the facts.
func Contacts(text string, level int, place doc.Place) []doc.Block {
	var blocks []doc.Block
	card := map[string][]property{}
	for _, p := range properties(text) {
		switch {
		case p.name == "BEGIN":
			card = map[string][]property{}
		case p.name == "END":
			blocks = append(blocks, contact(card, level, place)...)
		default:
			card[p.name] = append(card[p.name], p)
		}
	}
	return blocks
}

func contact(card map[string][]property, level int, place doc.Place) []doc.Block {
	name := ""
	if p := card["FN"]; len(p) > 0 {
		name = p[0].value
	} else if p := card["N"]; len(p) > 0 {
		name = components(p[0].value, " ")
	}
	if name == "" {
		name = "Contact"
	}
	var facts []fact
	for _, f := range contactFields {
		for _, p := range card[f.name] {
			value := components(p.value, ", ")
			if kind := strings.ToLower(p.params["type"]); kind != "" && kind != "internet" && kind != "pref" {
				value += " (" + kind + ")"
			}
			facts = append(facts, fact{f.label, value})
		}
	}
	blocks := append([]doc.Block{doc.H(level, name, place)}, factBlocks(facts, place)...)
	if p := card["NOTE"]; len(p) > 0 {
		blocks = append(blocks, linesBlock(p[0].value, place)...)
	}
	return blocks
}

// components joins the filled parts of a structured value.
func components(value, separator string) string {
	var parts []string
	for _, part := range strings.Split(value, ";") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, separator)
}

// fact is a label and its value.
type fact struct{ label, value string }

// factBlocks shows facts as lines of one paragraph.
func factBlocks(facts []fact, place doc.Place) []doc.Block {
	var line []doc.Inline
	for _, f := range facts {
		if f.value = strings.TrimSpace(f.value); f.value == "" {
			continue
		}
		if len(line) > 0 {
			line = append(line, doc.Inline{Kind: doc.Break})
		}
		line = append(line, doc.Inline{Kind: doc.Text, Text: f.label + ":", Marks: doc.Strong}, doc.T(" "+f.value))
	}
	if len(line) == 0 {
		return nil
	}
	return []doc.Block{{Kind: doc.Paragraph, Inlines: line, Places: []doc.Place{place}}}
}

// linesBlock shows text whose line ends count.
func linesBlock(text string, place doc.Place) []doc.Block {
	var blocks []doc.Block
	for _, stanza := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		var line []doc.Inline
		for _, part := range strings.Split(stanza, "\n") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			if len(line) > 0 {
				line = append(line, doc.Inline{Kind: doc.Break})
			}
			line = append(line, doc.T(part))
		}
		if len(line) > 0 {
			blocks = append(blocks, doc.Block{Kind: doc.Paragraph, Inlines: line, Places: []doc.Place{place}})
		}
	}
	return blocks
}
