package facts

import (
	"strings"

	"decant/handler/internal/doc"
)

// How much text is looked at.
const (
	languageText   = 20_000 // bytes; more does not make a language surer
	identifierText = 6_000  // bytes: about the first page; further on, identifiers are mostly those of references
)

// Fill adds to the metadata what can be found in the text.
func Fill(d *doc.Document) {
	if d.Metadata.Sources == nil {
		d.Metadata.Sources = map[string]string{}
	}
	fillTitle(d)
	text := sample(d.Blocks, languageText)
	fillLanguage(d, text)
	fillIdentifiers(d, text)
	if len(d.Metadata.Sources) == 0 {
		d.Metadata.Sources = nil
	}
}

// Adopt gives the metadata of d what was found in an earlier part of it, where the document itself says nothing.
func Adopt(d *doc.Document, found doc.Metadata) {
	m := &d.Metadata
	take := func(field string) {
		if source := found.Sources[field]; source != "" {
			if m.Sources == nil {
				m.Sources = map[string]string{}
			}
			m.Sources[field] = source
		}
	}
	if strings.TrimSpace(m.Title) == "" && found.Title != "" {
		m.Title = found.Title
		take("title")
	}
	if m.Language == "" && found.Language != "" {
		m.Language, m.Confidence = found.Language, found.Confidence
		take("language")
	}
	m.Identifiers = append(m.Identifiers, found.Identifiers...)
}

// fillTitle takes the first heading of the highest level among the first headings.
func fillTitle(d *doc.Document) {
	if d.Metadata.Title = strings.TrimSpace(d.Metadata.Title); d.Metadata.Title != "" {
		return
	}
	best := (*doc.Block)(nil)
	seen := 0
	doc.Walk(d.Blocks, func(b *doc.Block) bool {
		if b.Kind == doc.Heading && b.Role != doc.RoleName && seen < firstHeadings {
			seen++
			if best == nil || b.Level < best.Level {
				best = b
			}
		}
		return seen < firstHeadings && b.Kind != doc.Table && b.Kind != doc.TOC
	})
	if best == nil {
		return
	}
	if title := strings.Join(strings.Fields(best.PlainText()), " "); title != "" && len(title) <= maxTitle {
		d.Metadata.Title = title
		d.Metadata.Sources["title"] = "first heading"
	}
}

const (
	firstHeadings = 3
	maxTitle      = 300 // bytes; a longer heading is not a title
)

// prose is the text of a block that an author wrote: not the names that data has, nor values that are no sentences.
func prose(b *doc.Block) string {
	text := b.PlainText()
	switch b.Role {
	case doc.RoleName:
		return ""
	case doc.RoleFact:
		_, value, _ := strings.Cut(text, ": ")
		if len(strings.Fields(value)) < sentenceWords {
			return ""
		}
		return value
	}
	return text
}

// sentenceWords is how many words a value has at least that says something about the document's language.
const sentenceWords = 4

// sample is the document's text from its start, at most limit bytes, one line a block.
func sample(blocks []doc.Block, limit int) string {
	var b strings.Builder
	doc.Walk(blocks, func(block *doc.Block) bool {
		if b.Len() >= limit {
			return false
		}
		if block.Kind == doc.Code || block.Kind == doc.Formula || block.Role == doc.RoleHeaders {
			return false // not sentences of the document: the names of a mail's headers are decant's own
		}
		if text := prose(block); text != "" {
			b.WriteString(text[:min(len(text), limit-b.Len())])
			b.WriteByte('\n')
		}
		return true
	})
	return strings.ToValidUTF8(b.String(), "")
}
