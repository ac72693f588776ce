package csv

import (
	"slices"
	"strings"

	"decant/handler/internal/doc"
)

// What may stand around a table in its file: lines before it, and a title before a further table.
const (
	maxPreamble = 30 // records
	maxTitles   = 4
)

// next reads the next record, from what was read ahead first.
func (t *tableMaker) next(rec *record) bool {
	if len(t.waiting) > 0 {
		*rec, t.waiting = t.waiting[0], t.waiting[1:]
		return true
	}
	return t.reader.next(rec)
}

// peek reads up to n records ahead.
func (t *tableMaker) peek(n int) []record {
	for len(t.waiting) < n {
		var rec record
		if !t.reader.next(&rec) {
			break
		}
		t.waiting = append(t.waiting, rec)
	}
	return t.waiting[:min(n, len(t.waiting))]
}

// take takes n of the records that were read ahead.
func (t *tableMaker) take(n int) []record {
	records := t.waiting[:n]
	t.waiting = t.waiting[n:]
	return records
}

func copied(rec record) record {
	rec.fields = slices.Clone(rec.fields)
	return rec
}

// filled is the number of fields up to the last that is not empty.
func filled(fields []string) int {
	n := len(fields)
	for n > 0 && strings.TrimSpace(fields[n-1]) == "" {
		n--
	}
	return n
}

// preamble writes what stands before the table: a report's title, when it was made, remarks.
func (t *tableMaker) preamble(head []record) {
	for k := 1; k <= maxPreamble && k+1 < len(head); k++ {
		if beginsBody(head, k, t.width) {
			t.write(t.take(k))
			return
		}
	}
}

// beginsBody tells whether the record at k is the header of the table and those before it are not: they are narrower, it names
// columns, and a blank line, remark signs or the kinds of the values beside it say so.
func beginsBody(head []record, k, width int) bool {
	row, next := head[k].fields, head[k+1].fields
	n := filled(row)
	if n < 2 || len(row) != width || len(next) != width || slices.ContainsFunc(row[:n], isBlank) || !isHeader(row, next) {
		return false
	}
	apart, narrow, remarks, single := false, true, true, true
	for i, before := range head[:k] {
		m := filled(before.fields)
		if m >= n {
			return false
		}
		apart = apart || m == 0 || head[i+1].line > before.endLine+1
		narrow = narrow && m*2 <= n
		single = single && m <= 1
		remarks = remarks && (m == 0 || strings.HasPrefix(strings.TrimSpace(before.fields[0]), "#"))
	}
	return apart || remarks || (narrow || single) && namesData(row, next)
}

func isBlank(field string) bool { return strings.TrimSpace(field) == "" }

// namesData tells whether a column has data below a name.
func namesData(row, next []string) bool {
	for i, field := range row {
		if i < len(next) && !datum.MatchString(strings.TrimSpace(field)) && datum.MatchString(strings.TrimSpace(next[i])) {
			return true
		}
	}
	return false
}

// beginsTable tells whether another table begins with a record, behind a blank line: with so many lines of a title, and a header
// that is not as wide as the one before.
func (t *tableMaker) beginsTable(rec *record) (titles int, yes bool) {
	if !t.blank && rec.line <= t.lastEnd+1 {
		return 0, false
	}
	head := append([]record{copied(*rec)}, t.peek(maxTitles+1)...)
	for k := 0; k+1 < len(head) && k <= maxTitles; k++ {
		row, next := head[k].fields, head[k+1].fields
		n := filled(row)
		if k > 0 && filled(head[k-1].fields) != 1 {
			return 0, false
		}
		if n < 2 {
			continue
		}
		if filled(next) > n || len(next) != len(row) || slices.ContainsFunc(row[:n], isBlank) || !isHeader(row, next) {
			return 0, false
		}
		if k > 0 {
			return k, namesData(row, next)
		}
		return 0, t.header != nil && n != filled(t.header.fields)
	}
	return 0, false
}

// write writes records that are no part of a table: single values as paragraphs, others as small tables.
func (t *tableMaker) write(records []record) {
	var rows []record
	flush := func() {
		if len(rows) == 0 {
			return
		}
		g := &doc.Grid{}
		for _, rec := range rows {
			g.Columns = max(g.Columns, filled(rec.fields))
			t.cells(g, &rec, false)
		}
		t.d.Blocks = append(t.d.Blocks, doc.Block{Kind: doc.Table, Table: g, Places: []doc.Place{{Line: rows[0].line, EndLine: rows[len(rows)-1].endLine}}})
		rows = nil
	}
	for _, rec := range records {
		switch n := filled(rec.fields); {
		case n == 0:
			flush()
		case n == 1 && !isBlank(rec.fields[0]):
			flush()
			t.d.Blocks = append(t.d.Blocks, doc.Block{Kind: doc.Paragraph, Inlines: t.inlinesOf(strings.TrimSpace(rec.fields[0])), Places: []doc.Place{{Line: rec.line, EndLine: rec.endLine}}})
		default:
			if len(rows) > 0 && rec.line > rows[len(rows)-1].endLine+1 {
				flush()
			}
			rows = append(rows, rec)
		}
	}
	flush()
}
