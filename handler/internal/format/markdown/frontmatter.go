package markdown

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"decant/handler/internal/doc"
)

// maxFrontMatter is the size of front matter in bytes above which a first line of dashes is taken for a rule.
const maxFrontMatter = 64 << 10

// frontMatter takes YAML between lines of dashes, or TOML between lines of plus signs, from the start of the text into the metadata
// and gives the text after it.
func frontMatter(d *doc.Document, text string) string {
	for _, fence := range []string{"---", "+++"} {
		head, body, ok := cutFence(text, fence)
		if !ok {
			continue
		}
		fields := map[string]any{}
		if fence == "---" {
			if err := yaml.Unmarshal([]byte(head), &fields); err != nil || len(fields) == 0 {
				if strings.TrimSpace(head) == "" {
					return body
				}
				if err != nil && strings.Contains(head, ":") {
					d.Warn("metadata_invalid", "The front matter is not valid YAML and was left out.")
					return body
				}
				return text
			}
		} else {
			fields = simpleTOML(head)
		}
		setFields(d, fields)
		return body
	}
	return text
}

func cutFence(text, fence string) (head, body string, ok bool) {
	first, rest, found := strings.Cut(text, "\n")
	if !found || strings.TrimRight(first, " \r") != fence {
		return "", "", false
	}
	for offset := 0; offset < min(len(rest), maxFrontMatter); {
		line, _, more := strings.Cut(rest[offset:], "\n")
		if trimmed := strings.TrimRight(line, " \r"); trimmed == fence || fence == "---" && trimmed == "..." {
			return rest[:offset], rest[min(len(rest), offset+len(line)+1):], true
		}
		if !more {
			break
		}
		offset += len(line) + 1
	}
	return "", "", false
}

// simpleTOML reads the top-level `key = value` lines that front matter has.
func simpleTOML(text string) map[string]any {
	fields := map[string]any{}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "[") {
			break
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if strings.HasPrefix(value, "[") {
			var list []any
			for _, item := range strings.Split(strings.Trim(value, "[] "), ",") {
				if item = strings.Trim(item, ` "'`); item != "" {
					list = append(list, item)
				}
			}
			fields[strings.TrimSpace(key)] = list
			continue
		}
		fields[strings.TrimSpace(key)] = strings.Trim(value, `"'`)
	}
	return fields
}

func setFields(d *doc.Document, fields map[string]any) {
	m := &d.Metadata
	m.Sources, m.Other = map[string]string{}, map[string]string{}
	for key, value := range fields {
		switch key = strings.ToLower(key); key {
		case "title":
			m.Title, m.Sources["title"] = textOf(value), "front matter"
		case "author", "authors", "creator":
			m.Authors, m.Sources["authors"] = append(m.Authors, namesOf(value)...), "front matter"
		case "date", "created", "published":
			m.Created, m.Sources["created"] = textOf(value), "front matter"
		case "modified", "updated", "lastmod", "last_modified_at":
			m.Modified, m.Sources["modified"] = textOf(value), "front matter"
		case "description", "abstract", "summary", "subject", "subtitle":
			if m.Subject == "" || key == "description" {
				m.Subject, m.Sources["subject"] = textOf(value), "front matter"
			}
		case "keywords", "tags":
			m.Keywords, m.Sources["keywords"] = append(m.Keywords, namesOf(value)...), "front matter"
		case "lang", "language":
			m.Language, m.Confidence, m.Sources["language"] = textOf(value), 1, "front matter"
		case "publisher":
			m.Publisher = textOf(value)
		default:
			if text := textOf(value); text != "" && len(text) < 4096 {
				m.Other[key] = text
			}
		}
	}
}

func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case time.Time:
		if v.Hour() == 0 && v.Minute() == 0 && v.Second() == 0 {
			return v.Format(time.DateOnly)
		}
		return v.Format(time.RFC3339)
	case []any, map[string]any:
		return strings.Join(namesOf(v), ", ")
	}
	return fmt.Sprint(value)
}

// namesOf reads "a, b", [a, b] and [{name: a}, {name: b}].
func namesOf(value any) []string {
	var names []string
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			names = append(names, namesOf(item)...)
		}
	case map[string]any:
		if name, ok := v["name"]; ok {
			return namesOf(name)
		}
		for key, item := range v {
			names = append(names, key+": "+textOf(item))
		}
	case string:
		for _, name := range strings.Split(v, ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
	default:
		if text := textOf(v); text != "" {
			names = append(names, text)
		}
	}
	return names
}
