package csv

import (
	"context"
	"fmt"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/textfile"
)

// Format describes CSV and TSV.
func Format() format.Format {
	return format.Format{
		Name: "csv", Title: "Table as text (CSV, TSV)",
		Extensions:  []string{".csv", ".tsv", ".tab", ".psv"},
		MediaTypes:  []string{"text/csv", "text/tab-separated-values"},
		Description: "any encoding, delimiter and quoting found from the whole text, ragged rows widened",
		Match:       match,
		Parse:       parse,
	}
}

// match believes the name when the content is text, and content without the name only when many rows agree.
func match(h *format.Head) int {
	text := h.Text
	if text == "" {
		if !charset.IsText(h.Bytes) {
			return 0
		}
		text = charset.Decode(string(h.Bytes)).String
	}
	if h.HasExtension(".csv", ".tsv", ".tab", ".psv") {
		return format.Plausible + 5
	}
	if g := sniff(text, 0); g.rows >= 5 && g.fields >= 3 && g.score >= 0.97 && g.delimiter != ':' && !looksLikeProse(text, g.delimiter) {
		return 15
	}
	return 0
}

// looksLikeProse tells sentences with commas from rows: a blank follows most marks, or most lines end as sentences do.
func looksLikeProse(text string, delimiter byte) bool {
	if delimiter != ',' && delimiter != ';' {
		return false
	}
	mark := string(rune(delimiter))
	if strings.Count(text, mark+" ")*3 > strings.Count(text, mark)*2 {
		return true
	}
	lines, sentences := 0, 0
	for line := range textfile.Lines(text) {
		words := len(strings.Fields(line.Text))
		if words == 0 {
			continue
		}
		lines++
		if end := strings.TrimRight(line.Text, " \t\"'”’»)"); words >= 6 && strings.LastIndexAny(end, ".!?:") == len(end)-1 {
			sentences++
		}
	}
	return sentences*2 > lines
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	if in.Part != nil && in.Size > streamFrom {
		return d, parseParts(ctx, in, d)
	}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	text = asciiRecords(text)
	g := dialectFor(in, d, text)
	text = text[g.skip:]
	if estimate(text, g) > cellBudget(in) {
		return d, textfile.Lean(ctx, in, d, text, "csv")
	}
	t := tableMaker{in: in, d: d, width: g.fields, reader: reader{text: text, line: 1 + min(g.skip, 1), d: g.dialect}}
	return d, t.make(ctx)
}

// asciiRecords ends lines where a text has ASCII's separator of records, which goes with its separator of units.
func asciiRecords(text string) string {
	if strings.IndexByte(text, 0x1E) < 0 || strings.IndexByte(text, 0x1F) < 0 {
		return text
	}
	return strings.NewReplacer("\x1e\r\n", "\n", "\x1e\n", "\n", "\x1e", "\n").Replace(text)
}

// streamFrom is the size in bytes from which on a table is read part by part.
const streamFrom = 8 << 20

// parseParts hands a large table on, some thousand rows at a time.
func parseParts(ctx context.Context, in *format.Input, d *doc.Document) error {
	s, err := textfile.Open(in, d)
	if err != nil {
		return err
	}
	g := dialectFor(in, d, s.Sample())
	t := tableMaker{in: in, d: d, width: g.fields, parts: true, reader: reader{text: s.Fill(""), pos: g.skip, line: 1 + min(g.skip, 1), d: g.dialect, fill: s.Fill}}
	if err := t.make(ctx); err != nil {
		return err
	}
	return s.Err()
}

// dialectFor finds the dialect and says so in d.
func dialectFor(in *format.Input, d *doc.Document, text string) guessResult {
	g := sniff(text, favourite(in.Name))
	setOther(d, g)
	if g.fields > 1 && (g.score < 0.8 || g.score-g.second < 0.05) {
		d.Warn("delimiter_guessed", fmt.Sprintf("The values were taken to be parted by %s.", nameOf(g.delimiter)))
	}
	return g
}

func favourite(name string) byte {
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, ".tsv"), strings.HasSuffix(name, ".tab"):
		return '\t'
	case strings.HasSuffix(name, ".psv"):
		return '|'
	}
	return 0
}

func setOther(d *doc.Document, g guessResult) {
	if g.delimiter == 0 {
		return
	}
	d.Metadata.Other = map[string]string{"delimiter": nameOf(g.delimiter)}
}

func nameOf(delimiter byte) string {
	switch delimiter {
	case ',':
		return "comma"
	case ';':
		return "semicolon"
	case '\t':
		return "tab"
	case '|':
		return "bar"
	case ':':
		return "colon"
	}
	return fmt.Sprintf("%q", string(rune(delimiter)))
}

// cellBytes is what one cell of the model costs in memory beside its text.
const cellBytes = 600

// cellBudget is how many cells the model may have: half of the memory.
func cellBudget(in *format.Input) int {
	if in.Limits.Memory <= 0 {
		return 1 << 30
	}
	return int((in.Limits.Memory/2 - in.Size) / cellBytes)
}

// estimate is about how many cells a text has.
func estimate(text string, g guessResult) int {
	lines := strings.Count(text, "\n")
	if lines == 0 {
		lines = strings.Count(text, "\r")
	}
	return max(strings.Count(text, string(rune(g.delimiter)))+lines, lines+1)
}
