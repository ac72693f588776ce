package pdf

import (
	"strings"
	"time"
	"unicode"

	"decant/handler/internal/doc"
	"decant/handler/internal/layout"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/pdfium"
)

// metadata reads the document information.
func (p *parse) metadata() {
	m := &p.out.Metadata
	sources := map[string]string{}
	field := func(name, key string) string {
		value := clean(p.pdf.Meta(key))
		if value != "" {
			sources[name] = "document information"
		}
		return value
	}
	m.Title = field("title", "Title")
	m.Authors = splitList(field("authors", "Author"), ";")
	m.Subject = field("subject", "Subject")
	m.Keywords = splitList(field("keywords", "Keywords"), ";,")
	m.Application = field("application", "Creator")
	if producer := clean(p.pdf.Meta("Producer")); producer != "" {
		m.Other = map[string]string{"producer": producer}
		if m.Application == "" {
			m.Application = producer
		}
	}
	m.Created = p.date(field("created", "CreationDate"))
	m.Modified = p.date(field("modified", "ModDate"))
	if m.Language = clean(p.pdf.Language()); m.Language != "" {
		m.Confidence = 1
		sources["language"] = "catalog"
	}
	m.Encrypted = p.pdf.Encrypted()
	m.Tagged = p.pdf.Tagged()
	if len(sources) > 0 {
		m.Sources = sources
	}
	if !p.pdf.SoundXref() {
		p.out.Warn("repaired", "The file's table of objects is damaged and was built anew.")
	}
}

func splitList(s, separators string) []string {
	var list []string
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// clean makes one line of text without control characters.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

// pdfDate is D:YYYYMMDDHHmmSSOHH'mm with everything after the year optional (ISO 32000-2, 7.9.4).
var pdfDate = lazyregexp.New(`^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d'?(?:\d\d)?'?)?`)

func (p *parse) date(s string) string {
	if s == "" {
		return ""
	}
	iso, ok := isoDate(s)
	if !ok {
		p.out.Warn("metadata_invalid", "A date in the document information could not be understood.")
	}
	return iso
}

func isoDate(s string) (string, bool) {
	m := pdfDate.FindStringSubmatch(s)
	if m == nil {
		if t, err := time.Parse(time.RFC3339, s); err == nil {
			return t.Format(time.RFC3339), true
		}
		return "", false
	}
	part := func(i int, missing string) string {
		if m[i] == "" {
			return missing
		}
		return m[i]
	}
	text := m[1] + "-" + part(2, "01") + "-" + part(3, "01")
	if m[4] == "" {
		_, err := time.Parse(time.DateOnly, text)
		return text, err == nil
	}
	zone := "Z"
	if m[7] != "" && m[7] != "Z" {
		digits := strings.ReplaceAll(m[7][1:], "'", "")
		if len(digits) == 2 {
			digits += "00"
		}
		zone = m[7][:1] + digits[:2] + ":" + digits[2:]
	}
	text += "T" + m[4] + ":" + part(5, "00") + ":" + part(6, "00") + zone
	_, err := time.Parse(time.RFC3339, text)
	return text, err == nil
}

// links hands link annotations with a safe target to the layout.
func (p *parse) links(page *pdfium.Page, v view, into *layout.Page) {
	for _, l := range page.Links() {
		if l.URI == "" && l.Page >= 0 {
			p.targets[l.Page+1] = true
			into.Links = append(into.Links, layout.Link{Box: v.rect(l.Box), Target: "#" + pageAnchor(l.Page+1)})
		} else if target, ok := safeTarget(l.URI); ok {
			into.Links = append(into.Links, layout.Link{Box: v.rect(l.Box), Target: target})
		} else if l.URI != "" {
			p.out.Warn("unsafe_link", "A link with an unsafe target lost its target and kept its text.", doc.Place{Page: into.Number})
		}
	}
}

// safeTarget gives the target when its scheme does no harm.
func safeTarget(uri string) (string, bool) {
	uri = clean(uri)
	lower := strings.ToLower(uri)
	for _, scheme := range []string{"http://", "https://", "mailto:", "ftp://", "tel:", "www."} {
		if strings.HasPrefix(lower, scheme) {
			return uri, true
		}
	}
	return "", false
}
