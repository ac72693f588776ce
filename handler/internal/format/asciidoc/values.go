package asciidoc

import (
	"encoding/csv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

var (
	tableFormat    = lazyregexp.New(`format="?(csv|tsv|dsv|psv)"?`)
	tableSeparator = lazyregexp.New(`separator="?(\\t|[^",\s])"?`)
	columnStyle    = lazyregexp.New(`[aehlmsd]$`)
)

// separator is what parts the values of a table that is written as CSV, TSV or DSV; 0 for one that is written with bars.
func separator(end, style string) rune {
	kind := map[byte]string{',': "csv", ':': "dsv"}[end[0]]
	if m := tableFormat.FindStringSubmatch(style); m != nil {
		kind = m[1]
	}
	mark := map[string]rune{"csv": ',', "tsv": '\t', "dsv": ':'}[kind]
	if m := tableSeparator.FindStringSubmatch(style); m != nil && mark != 0 {
		if mark = []rune(m[1])[0]; m[1] == `\t` {
			mark = '\t'
		}
	}
	return mark
}

// valueCells reads the values of a table that is written as CSV, and how many the first line has. What breaks the rules of quoting
// stays as it is. It is false when too many are missing.
func (p *parser) valueCells(lines []string, mark rune) (list []cell, columns int, ok bool) {
	r := csv.NewReader(strings.NewReader(strings.Join(lines, "\n")))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = mark, true, -1, true
	for {
		record, err := r.Read()
		if len(record) == 0 || err != nil && record == nil {
			return list, columns, true
		}
		if columns == 0 {
			columns = len(record)
		}
		if missing := columns - len(record); missing > 0 {
			if !p.cells.Take(missing) {
				return nil, 0, false
			}
			record = append(record, make([]string, missing)...)
		}
		for _, value := range record[:columns] {
			list = append(list, cell{text: strings.TrimSpace(value)})
		}
		if extra := record[columns:]; len(extra) > 0 {
			list[len(list)-1].text += " " + strings.Join(extra, " ")
		}
	}
}

// columnStyles are the styles of the columns that cols="1,2a" names; they hold for the cells that have none of their own.
func columnStyles(style string) []string {
	m := colsSpec.FindStringSubmatch(style)
	if m == nil {
		return nil
	}
	var styles []string
	for _, part := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		n := 1
		if r := repeated.FindStringSubmatch(part); r != nil {
			n, part = min(atoi(r[1]), 1000), part[len(r[0]):]
		}
		for range n {
			styles = append(styles, columnStyle.FindString(part))
		}
	}
	return styles
}
