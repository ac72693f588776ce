package csv

import (
	"math"
	"strings"
)

// delimiters in the order of how usual they are; the first of equals wins.
var delimiters = []byte{',', ';', '\t', '|', ':', '^', '~', '\x1f', '\x01'}

// guessResult is a dialect and how well the text keeps to it.
type guessResult struct {
	dialect
	score  float64 // 0 no table at all .. 1 every row has the same number of several fields
	second float64 // the score of the next best delimiter
	fields int     // the usual number of fields
	rows   int
	single int     // rows of one field
	first  int     // fields of the first row
	clean  float64 // share of values without the other delimiters in them
	skip   int     // bytes to pass over: a "sep=;" line of Excel
}

// sniff finds the dialect from rows of the whole text. favourite is the delimiter that the file's name stands for, or 0.
func sniff(text string, favourite byte) guessResult {
	if d, skip := declared(text); d != 0 {
		g := measure(samples(text[skip:]), dialectOf(text[skip:], d))
		g.skip, g.score, g.second = skip, 1, 0
		return g
	}
	parts := samples(text)
	best := guessResult{dialect: dialect{delimiter: ',', quote: '"'}}
	if favourite != 0 {
		best.delimiter = favourite
	}
	for _, d := range delimiters {
		if strings.IndexByte(text, d) < 0 {
			continue
		}
		g := measure(parts, dialectOf(text, d))
		if d == favourite {
			g.score = math.Min(1, g.score*1.15)
		}
		if d == ':' || d == '^' || d == '~' {
			g.score *= 0.8 // times, mails and prose have them
		}
		g.score *= 1 - dirtCost*(1-g.clean)
		if g.score > best.score {
			g.second = best.score
			best = g
		} else if g.score > best.second {
			best.second = g.score
		}
	}
	if isOneColumn(text, best, favourite) {
		best.delimiter, best.fields, best.score, best.second = 0, 1, 1, 0
	}
	return best
}

// dirtCost is how much values such as "5;2", which a wrong delimiter leaves, count against it.
const dirtCost = 0.15

// isOneColumn tells a list of values in which some have a comma as sentences and names do: "Smith, John".
func isOneColumn(text string, g guessResult, favourite byte) bool {
	if favourite != 0 || g.first != 1 || g.single*2 <= g.rows || g.delimiter != ',' && g.delimiter != ';' {
		return false
	}
	marks, prose := 0, 0
	for _, part := range samples(text) {
		marks += strings.Count(part, string(g.delimiter))
		prose += strings.Count(part, string(g.delimiter)+" ")
	}
	return marks == prose
}

// declared reads Excel's first line "sep=;".
func declared(text string) (delimiter byte, skip int) {
	end, next := lineEnd(text, 0)
	line := strings.ToLower(strings.Trim(text[:end], "\" "))
	if len(line) == 5 && strings.HasPrefix(line, "sep=") {
		return line[4], next
	}
	return 0, 0
}

// dialectOf finds how a text with that delimiter quotes: by which mark stands beside delimiters and line ends most often.
func dialectOf(text string, delimiter byte) dialect {
	d := dialect{delimiter: delimiter}
	sep := string(delimiter)
	count := func(quote string) int {
		n := 0
		for _, part := range samples(text) {
			n += strings.Count(part, sep+quote) + strings.Count(part, quote+sep) + strings.Count(part, "\n"+quote) + strings.Count(part, quote+"\n") + strings.Count(part, quote+"\r")
			if strings.HasPrefix(part, quote) {
				n++
			}
		}
		return n
	}
	double, single := count(`"`), count(`'`)
	switch {
	case single > 4 && double == 0 && single >= 2*len(samples(text)):
		d.quote = '\''
	default:
		d.quote = '"'
		d.backslash = strings.Contains(text, `\"`) && strings.Count(text, `\"`) > strings.Count(text, `""`)
	}
	return d
}

// Sizes of the evidence in bytes: the whole text when it is small, else windows from all parts of it.
const (
	wholeText  = 2 << 20
	windows    = 32
	windowSize = 32 << 10
)

// samples gives the parts of the text that are looked at, each beginning at a line.
func samples(text string) []string {
	if len(text) <= wholeText {
		return []string{text}
	}
	var parts []string
	for i := range windows {
		start := i * (len(text) / windows)
		if i > 0 {
			_, start = lineEnd(text, start)
		}
		end := min(len(text), start+windowSize)
		if end < len(text) {
			if cut := strings.LastIndexAny(text[start:end], "\n\r"); cut > 0 {
				end = start + cut
			}
		}
		parts = append(parts, text[start:end])
	}
	return parts
}

// measure tells how evenly a dialect cuts the rows: the share of rows with the usual number of fields, and half of those that are
// off by little; rows of a single field say nothing.
func measure(parts []string, d dialect) guessResult {
	counts := map[int]int{}
	g := guessResult{dialect: d, clean: 1}
	values, dirty, lead := 0, 0, 0
	for _, part := range parts {
		r := reader{text: part, line: 1, d: d}
		var rec record
		for r.next(&rec) {
			counts[len(rec.fields)]++
			if g.rows++; g.rows == 1 {
				g.first = len(rec.fields)
			}
			if len(rec.fields) == 1 && lead == g.rows-1 && lead < maxPreamble {
				lead++ // a title, perhaps; half a row
			}
			for _, field := range rec.fields {
				values++
				if isDirty(field, d.delimiter) {
					dirty++
				}
			}
		}
	}
	g.single = counts[1]
	if values > 0 {
		g.clean = 1 - float64(dirty)/float64(values)
	}
	for n, rows := range counts {
		if n > 1 && (rows > counts[g.fields] || rows == counts[g.fields] && n > g.fields || g.fields == 0) {
			g.fields = n
		}
	}
	if g.fields == 0 {
		return g
	}
	sum := 0.0
	for n, rows := range counts {
		switch {
		case n == g.fields:
			sum += float64(rows)
		case n > 1 && math.Abs(float64(n-g.fields)) <= float64(g.fields)/4+1:
			sum += 0.5 * float64(rows)
		}
	}
	g.score = sum / (float64(g.rows) - 0.5*float64(lead)) * (1 - 0.02/float64(g.fields))
	return g
}

// isDirty tells a value with another delimiter in it that is no part of a number.
func isDirty(field string, delimiter byte) bool {
	for _, other := range ",;\t|" {
		if byte(other) != delimiter && strings.IndexByte(field, byte(other)) >= 0 {
			return !datum.MatchString(strings.TrimSpace(field))
		}
	}
	return false
}
