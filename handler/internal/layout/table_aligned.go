package layout

import "slices"

// alignedTable makes a table of words in a box by their alignment; separators are heights of rules across it. Nil when it is none.
func alignedTable(words []Word, separators []rule) *table {
	runs := cellLines(words)
	columns := corridors(bodyRuns(withoutNotes(runs), separators))
	if len(columns) < 2 {
		return nil
	}
	rows := logicalRows(textRows(runs), columns, separators)
	if len(rows) < 2 || !tableRows(runs, columns, len(separators) >= 2) {
		return nil
	}
	t := &table{rows: len(rows), columns: len(columns)}
	for i, row := range rows {
		t.addRow(i, row, columns, separators)
		for _, r := range row {
			t.box = union(t.box, r.Box)
		}
	}
	t.spanEmpty()
	return t
}

// withoutNotes leaves out captions and notes that stand between a table's rules: they run over its columns.
func withoutNotes(runs []Line) []Line {
	kept := slices.Clone(runs)
	kept = slices.DeleteFunc(kept, func(r Line) bool {
		text := lineText(r)
		return captionStart.MatchString(text) || belowTable.MatchString(text)
	})
	if len(kept) == 0 {
		return runs
	}
	return kept
}

// bodyRuns leaves out what stands above the second rule when there is much more below: header cells that span columns.
func bodyRuns(runs []Line, separators []rule) []Line {
	if len(separators) < 3 {
		return runs
	}
	var body []Line
	for _, r := range runs {
		if r.Base > separators[1].at {
			body = append(body, r)
		}
	}
	if len(body)*2 < len(runs) || countRows(body) < 3 {
		return runs
	}
	return body
}

// tableRows tells whether runs in columns look like a table rather than columns of running text.
func tableRows(runs []Line, columns []span, ruled bool) bool {
	rows := textRows(runs)
	several, words, figures := 0, 0, 0
	for _, row := range rows {
		if len(row) > 1 {
			several++
		}
		for _, r := range row {
			words += wordCount(r)
			if isFigure(lineText(r)) {
				figures++
			}
		}
	}
	if several*2 < len(rows) && several < 3 {
		return false
	}
	cells := len(runs)
	switch {
	case ruled && len(columns) == 2:
		return words <= 6*cells && several*3 >= len(rows)
	case ruled:
		return words <= 8*cells
	case len(columns) == 2 && figures*4 < cells && words > 4*cells:
		return false
	}
	return words <= 7*cells
}

// addRow puts the runs of a row in their cells.
func (t *table) addRow(index int, runs []Line, columns []span, separators []rule) {
	cells := map[int]*tableCell{}
	var order []int
	for _, r := range runs {
		first, last := reach(columns, r)
		if first < 0 {
			first, last = nearest(columns, r)
		}
		if first != last {
			first, last = fit(columns, r, first, last)
		}
		if from, to, ok := underlined(r, runs, columns, separators); ok {
			first, last = min(first, from), max(last, to)
		}
		if len(runs) == 1 && centred(columns, r) {
			first, last = 0, len(columns)-1
		}
		c := cells[first]
		if c == nil {
			c = &tableCell{row: index, column: first, rowSpan: 1, colSpan: 1}
			cells[first] = c
			order = append(order, first)
		}
		c.colSpan = max(c.colSpan, last-first+1)
		c.lines = append(c.lines, r)
	}
	slices.Sort(order)
	end := 0
	for k, column := range order {
		c := cells[column]
		if k+1 < len(order) {
			c.colSpan = min(c.colSpan, order[k+1]-column)
		}
		for ; end < column; end++ {
			t.cells = append(t.cells, tableCell{row: index, column: end, rowSpan: 1, colSpan: 1})
		}
		c.lines = sortLines(c.lines)
		t.cells = append(t.cells, *c)
		end = column + c.colSpan
	}
	for ; end < len(columns); end++ {
		t.cells = append(t.cells, tableCell{row: index, column: end, rowSpan: 1, colSpan: 1})
	}
}

// spanEmpty is where spans found by alignment are tidied; cells stay as they are when nothing speaks for a span.
func (t *table) spanEmpty() { t.finish() }
