package grid

import (
	"strconv"
	"strings"
)

const (
	maxHeaderRows   = 5
	maxHeaderLength = 120 // characters of one header text
	sampleRows      = 50  // rows below the header that are looked at
)

// findHeader sets how many rows at the top are headers, and tells whether that is a guess on weak evidence.
func (r *region) findHeader(s *Sheet, index merges) (guessed bool) {
	rows := r.rows()
	if r.headerRows >= 0 {
		r.headerRows = min(r.headerRows, len(rows))
		return false
	}
	r.headerRows = 0
	if len(rows) < 2 {
		return false
	}
	if n := r.declaredHeader(s, rows); n > 0 {
		r.headerRows = n
		return false
	}
	if !isHeaderRow(rows[0], rows[1:]) {
		return false
	}
	r.headerRows = r.extendHeader(rows, index)
	return !strongHeader(rows[0], rows[r.headerRows:])
}

// declaredHeader counts the region's top rows that print titles, a filter or frozen panes mark as headers.
func (r *region) declaredHeader(s *Sheet, rows [][]Cell) int {
	last := -1
	if p := s.PrintTitles; p != nil && p.Top <= r.Top {
		last = max(last, p.Bottom)
	}
	if f := s.Filter; f != nil && f.Intersects(r.Rect) && f.Top-r.Top < maxHeaderRows {
		last = max(last, f.Top)
	}
	if s.Frozen > 0 && r.Top < s.Frozen && r.Bottom >= s.Frozen {
		last = max(last, s.Frozen-1)
	}
	n := 0
	for n < len(rows)-1 && int(rows[n][0].Row) <= last {
		n++
	}
	if n > maxHeaderRows || n > 0 && !mostlyText(rows[0]) {
		return 0
	}
	return n
}

func mostlyText(row []Cell) bool {
	texts := 0
	for i := range row {
		if row[i].Class == Text {
			texts++
		}
	}
	return 2*texts >= len(row)
}

// isHeaderRow tells whether the first row names the columns of the rows below it.
func isHeaderRow(first []Cell, below [][]Cell) bool {
	others := 0
	for i := range first {
		c := &first[i]
		switch {
		case c.Class == Text && len([]rune(c.Text)) > maxHeaderLength:
			return false
		case c.Class == Text:
		case c.Class == Date || isYear(c):
			others++
		default:
			return false
		}
	}
	if others > 0 {
		return len(first) > 1 && (first[0].Class == Text || int(first[0].Column) > int(below[0][0].Column)) && !sameClasses(first, below)
	}
	return !isKeyValue(first, below)
}

// isYear: 2019, 2020 and the like stand as column names.
func isYear(c *Cell) bool {
	n, err := strconv.Atoi(c.Text)
	return err == nil && c.Class == Number && n >= 1900 && n <= 2100
}

// sameClasses tells whether the columns that are not text in the first row hold the same kind of value below: dates under a date are data.
func sameClasses(first []Cell, below [][]Cell) bool {
	for i := range first {
		if first[i].Class == Text {
			continue
		}
		for _, row := range below[:min(len(below), sampleRows)] {
			for j := range row {
				if row[j].Column == first[i].Column && row[j].Class == first[i].Class && (first[i].Class == Date || isYear(&row[j])) {
					return true
				}
			}
		}
	}
	return false
}

// isKeyValue: two columns, and the left texts end in a colon: a form, whose first row is as good as any other.
func isKeyValue(first []Cell, below [][]Cell) bool {
	if len(first) != 2 || !strings.HasSuffix(strings.TrimSpace(first[0].Text), ":") {
		return false
	}
	return strings.HasSuffix(strings.TrimSpace(below[0][0].Text), ":")
}

// strongHeader: the header is bold and the body is not, or the body has values under the header's texts.
func strongHeader(first []Cell, below [][]Cell) bool {
	if len(below) == 0 {
		return false
	}
	if allBold(first) && !allBold(below[0]) {
		return true
	}
	for _, row := range below[:min(len(below), sampleRows)] {
		for i := range row {
			if row[i].Class != Text && row[i].Class != Error {
				return true
			}
		}
	}
	return false
}

func allBold(row []Cell) bool {
	for i := range row {
		if !row[i].Bold {
			return false
		}
	}
	return len(row) > 0
}

// extendHeader counts the rows that merged header cells take in: a cell over several columns has its columns' names below it,
// and a cell over several rows is as high as the header.
func (r *region) extendHeader(rows [][]Cell, index merges) int {
	n := 1
	for i := 0; i < n && n < min(maxHeaderRows, len(rows)-1); i++ {
		for j := range rows[i] {
			area := index.area(&rows[i][j])
			if area.Width() > 1 && area.Width() < r.Width() && i+1 == n && allText(rows[n]) && len(rows[n]) > 1 {
				n++
			}
			for area.Bottom > int(rows[n-1][0].Row) && n < min(maxHeaderRows, len(rows)-1) && allText(rows[n]) && i == 0 && area.Height() <= maxHeaderRows {
				n++
			}
			if n >= min(maxHeaderRows, len(rows)-1) {
				return n
			}
		}
	}
	for n < min(maxHeaderRows, len(rows)-2) && len(rows[n]) > 1 && allText(rows[n]) && !allText(rows[n+1]) && !r.namesColumns(rows[:n], index) {
		n++
	}
	return n
}

// namesColumns tells whether the rows have a text over every column but the first.
func (r *region) namesColumns(rows [][]Cell, index merges) bool {
	named := map[int]bool{}
	for _, row := range rows {
		for i := range row {
			area := index.area(&row[i])
			for column := area.Left; column <= min(area.Right, r.Right); column++ {
				named[column] = true
			}
		}
	}
	for i := range r.cells {
		if column := int(r.cells[i].Column); column != r.Left && !named[column] {
			return false
		}
	}
	return true
}

func allText(row []Cell) bool {
	for i := range row {
		if row[i].Class != Text && !isYear(&row[i]) {
			return false
		}
	}
	return true
}
