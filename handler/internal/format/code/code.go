package code

import (
	"context"
	"path"
	"slices"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/textfile"
)

// Format describes source code.
func Format() format.Format {
	return format.Format{
		Name: "code", Title: "Source code",
		Extensions:  extensions(),
		MediaTypes:  []string{"text/x-source"},
		Description: "by language, from extension or interpreter line; one code block, long files cut between pieces",
		Match:       match,
		Parse:       parse,
	}
}

// match needs a name or an interpreter line: the content of a program is text like any other.
func match(h *format.Head) int {
	if h.Text == "" {
		return 0
	}
	if languageOf(h.Name, h.Text) != "" {
		return format.Plausible + 2
	}
	return 0
}

func languageOf(name, text string) string {
	if language, ok := byName[strings.ToLower(path.Base(name))]; ok {
		return language
	}
	if language, ok := byExtension[strings.ToLower(path.Ext(name))]; ok {
		return language
	}
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") {
		return ""
	}
	fields := strings.Fields(line[2:])
	if len(fields) == 0 {
		return ""
	}
	program := path.Base(fields[0])
	if program == "env" && len(fields) > 1 {
		program = fields[len(fields)-1]
	}
	return byInterpreter[strings.TrimRight(program, "0123456789.")]
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	language := languageOf(in.Name, text[:min(len(text), 1024)])
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, language)
	}
	d.Metadata.Other = map[string]string{"language": language}
	d.Blocks = pieces(text, language)
	return d, nil
}

// pieceLines is the length from which on a block of code ends at the next place where a new piece begins.
const pieceLines = 80

// pieces cuts code at blank lines that are followed by a line without indent, once a piece is long enough.
func pieces(text, language string) []doc.Block {
	var out []doc.Block
	var lines []string
	first, blank := 1, false
	flush := func(next int) {
		for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
			lines = lines[:len(lines)-1]
		}
		if len(lines) > 0 {
			out = append(out, doc.Block{
				Kind: doc.Code, Language: language, Text: strings.Join(lines, "\n"),
				Places: []doc.Place{{Line: first, EndLine: first + len(lines) - 1}},
			})
		}
		lines, first = nil, next
	}
	for line := range textfile.Lines(text) {
		if len(lines) >= pieceLines && blank && startsPiece(line.Text) {
			flush(line.Number)
		}
		blank = strings.TrimSpace(line.Text) == ""
		if len(lines) == 0 && blank {
			first = line.Number + 1
			continue
		}
		lines = append(lines, line.Text)
	}
	flush(0)
	return out
}

func startsPiece(line string) bool {
	return line != "" && !slices.Contains([]byte(" \t})]"), line[0])
}

func extensions() []string {
	var list []string
	for e := range byExtension {
		list = append(list, e)
	}
	slices.Sort(list)
	return list
}
