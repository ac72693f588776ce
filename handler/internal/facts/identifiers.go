package facts

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/lazyregexp"
)

// The forms: DOI by the registrant's own pattern (crossref.org/blog/dois-and-matching-regular-expressions),
// arXiv of 2007 and later, ISBN and ISSN after their names only, because their digits alone are too common.
var (
	doiForm   = lazyregexp.New(`\b10\.\d{4,9}/[-._;()/:A-Za-z0-9]+`)
	arxivForm = lazyregexp.New(`(?i)\barxiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?)`)
	isbnForm  = lazyregexp.New(`(?i)\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?\d[- \d]{8,15}[\dXx])`)
	issnForm  = lazyregexp.New(`(?i)\be?-?ISSN:?\s*(\d{4}-\d{3}[\dXx])`)
)

// fillIdentifiers finds identifiers of the document itself: on its first page and in its running headers and footers.
func fillIdentifiers(d *doc.Document, text string) {
	text = text[:min(len(text), identifierText)]
	addIdentifiers(d, text, "text")
	addIdentifiers(d, sample(d.Furniture, identifierText), "furniture")
}

func addIdentifiers(d *doc.Document, text, source string) {
	if strings.Contains(text, "10.") {
		for _, m := range doiForm.FindAllString(text, -1) {
			addIdentifier(d, "doi", balance(trimPunctuation(m)), source)
		}
	}
	named := strings.ToLower(text) // most texts name none, and no expression need be compiled
	for _, m := range whereNamed(arxivForm, named, "arxiv", text) {
		addIdentifier(d, "arxiv", m[1], source)
	}
	for _, m := range whereNamed(isbnForm, named, "isbn", text) {
		if digits := strings.NewReplacer("-", "", " ", "").Replace(m[1]); validISBN(digits) {
			addIdentifier(d, "isbn", strings.ToUpper(digits), source)
		}
	}
	for _, m := range whereNamed(issnForm, named, "issn", text) {
		if validISSN(m[1]) {
			addIdentifier(d, "issn", strings.ToUpper(m[1]), source)
		}
	}
}

// whereNamed finds a form in a text that has its name in it.
func whereNamed(form *lazyregexp.Regexp, lower, name, text string) [][]string {
	if !strings.Contains(lower, name) {
		return nil
	}
	return form.FindAllStringSubmatch(text, -1)
}

// maxIdentifiers bounds the list; a document with more names others, not itself.
const maxIdentifiers = 20

func addIdentifier(d *doc.Document, scheme, value, source string) {
	list := d.Metadata.Identifiers
	for _, known := range list {
		if known.Scheme == scheme && strings.EqualFold(known.Value, value) {
			return
		}
	}
	if len(list) < maxIdentifiers {
		d.Metadata.Identifiers = append(list, doc.Identifier{Scheme: scheme, Value: value, Source: source})
	}
}

// balance cuts a DOI at a closing bracket that it did not open.
func balance(doi string) string {
	open := 0
	for i, r := range doi {
		switch r {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return doi[:i]
			}
		}
	}
	return doi
}

// validISBN checks the check digit of ISBN-10 (modulo 11) or ISBN-13 (modulo 10): ISO 2108.
func validISBN(digits string) bool {
	sum := 0
	switch len(digits) {
	case 10:
		for i, r := range digits {
			value := int(r - '0')
			if (r == 'X' || r == 'x') && i == 9 {
				value = 10
			}
			sum += (10 - i) * value
		}
		return sum%11 == 0
	case 13:
		for i, r := range digits {
			sum += int(r-'0') * (1 + 2*(i%2))
		}
		return sum%10 == 0
	}
	return false
}

// validISSN checks the check digit (modulo 11): ISO 3297.
func validISSN(issn string) bool {
	sum, weight := 0, 8
	for _, r := range issn {
		switch {
		case r == '-':
			continue
		case r == 'X' || r == 'x':
			sum += 10 * weight
		default:
			sum += int(r-'0') * weight
		}
		weight--
	}
	return sum%11 == 0
}
