package jsonfmt

import (
	"strings"

	"decant/handler/internal/textfile"
)

// yamlDocuments cuts a YAML stream into its documents (YAML 1.2, 9.2), so that a broken one leaves the others readable. Directives
// are left out: %YAML names versions that differ in nothing that is read here.
func yamlDocuments(text string) []textfile.Line {
	var parts []textfile.Line
	start, number, content := 0, 1, false
	cut := func(end, next, line int) {
		if content {
			parts = append(parts, textfile.Line{Number: number, Start: start, End: end, Text: strings.Trim(text[start:end], "\r\n")})
		}
		start, number, content = next, line, false
	}
	for line := range textfile.Lines(text) {
		rest, marks := strings.CutPrefix(line.Text, "---")
		switch trimmed := strings.TrimSpace(line.Text); {
		case marks && (rest == "" || rest[0] == ' ' || rest[0] == '\t'):
			cut(line.Start, line.Start+3, line.Number)
			content = strings.TrimSpace(rest) != "" && !strings.HasPrefix(strings.TrimSpace(rest), "#")
		case trimmed == "..." && strings.HasPrefix(line.Text, "..."):
			cut(line.Start, line.End, line.Number+1)
		case strings.HasPrefix(line.Text, "%") && !content:
			start, number = line.End, line.Number+1
		case trimmed != "" && trimmed[0] != '#':
			content = true
		}
	}
	cut(len(text), len(text), 0)
	return parts
}
