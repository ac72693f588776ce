package htmldoc

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// metaFields says which names of <meta> fill which field; the first name that is there wins.
var metaFields = []struct {
	field string
	names []string
}{
	{"title", []string{"citation_title", "og:title", "dc.title", "dcterms.title", "twitter:title"}},
	{"author", []string{"citation_author", "author", "dc.creator", "dcterms.creator", "article:author", "parsely-author"}},
	{"created", []string{"article:published_time", "citation_publication_date", "datepublished", "dc.date", "dcterms.created", "date", "pubdate", "citation_date"}},
	{"modified", []string{"article:modified_time", "datemodified", "dcterms.modified", "last-modified", "og:updated_time"}},
	{"subject", []string{"description", "og:description", "dc.description", "dcterms.abstract", "twitter:description"}},
	{"keywords", []string{"keywords", "news_keywords", "citation_keywords", "dc.subject", "article:tag"}},
	{"application", []string{"generator"}},
	{"publisher", []string{"citation_publisher", "dc.publisher", "og:site_name", "publisher"}},
	{"language", []string{"dc.language", "content-language", "citation_language", "og:locale"}},
	{"doi", []string{"citation_doi", "dc.identifier", "prism.doi"}},
}

// readMetadata fills the document's metadata from what the page says about itself.
func readMetadata(d *doc.Document, root *html.Node) {
	metas := map[string][]string{}
	m := &d.Metadata
	if m.Sources == nil {
		m.Sources = map[string]string{}
	}
	for n := range root.Descendants() {
		switch {
		case isElement(n, "html") && attr(n, "lang") != "":
			m.Language, m.Confidence = attr(n, "lang"), 1
			m.Sources["language"] = "html lang"
		case isElement(n, "title") && m.Title == "" && n.Namespace == "":
			if m.Title = contentOf(n); m.Title != "" {
				m.Sources["title"] = "title element"
			}
		case isElement(n, "link") && attr(n, "rel") == "canonical" && attr(n, "href") != "":
			setOther(m, "canonical", attr(n, "href"))
		case isElement(n, "meta"):
			name := strings.ToLower(attr(n, "name") + attr(n, "property") + attr(n, "itemprop"))
			if name == "" {
				name = strings.ToLower(attr(n, "http-equiv"))
			}
			if content := strings.Join(strings.Fields(attr(n, "content")), " "); name != "" && content != "" && len(metas) < 500 {
				metas[name] = append(metas[name], content)
			}
		}
	}
	for _, f := range metaFields {
		for _, name := range f.names {
			if values := metas[name]; len(values) > 0 {
				setMeta(m, f.field, name, values)
				break
			}
		}
	}
}

func setMeta(m *doc.Metadata, field, name string, values []string) {
	source := "meta " + name
	text := func(key string, target *string) {
		if *target == "" {
			*target = values[0]
			m.Sources[key] = source
		}
	}
	switch field {
	case "title":
		text("title", &m.Title)
	case "author":
		if len(m.Authors) == 0 {
			m.Authors = values
			m.Sources["authors"] = source
		}
	case "created":
		text("created", &m.Created)
	case "modified":
		text("modified", &m.Modified)
	case "subject":
		text("subject", &m.Subject)
	case "keywords":
		for _, v := range values {
			for _, word := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ';' }) {
				if word = strings.TrimSpace(word); word != "" && len(m.Keywords) < 200 {
					m.Keywords = append(m.Keywords, word)
				}
			}
		}
		m.Sources["keywords"] = source
	case "application":
		text("application", &m.Application)
	case "publisher":
		text("publisher", &m.Publisher)
	case "language":
		if m.Language == "" {
			m.Language, m.Confidence = strings.ReplaceAll(values[0], "_", "-"), 1
			m.Sources["language"] = source
		}
	case "doi":
		if doi := doiOf(values[0]); doi != "" {
			m.Identifiers = append(m.Identifiers, doc.Identifier{Scheme: "doi", Value: doi, Source: source})
		}
	}
}

func doiOf(s string) string {
	if i := strings.Index(s, "10."); i >= 0 && strings.Contains(s[i:], "/") {
		return strings.TrimSpace(s[i:])
	}
	return ""
}

func setOther(m *doc.Metadata, key, value string) {
	if m.Other == nil {
		m.Other = map[string]string{}
	}
	m.Other[key] = value
}
