package grid

import "strconv"

// Bounds of a sheet in Excel and LibreOffice.
const (
	MaxRows    = 1 << 20
	MaxColumns = 1 << 14
)

// Rect is a rectangle of cells, from 0, all four inclusive.
type Rect struct{ Top, Left, Bottom, Right int }

// Height is the number of rows.
func (r Rect) Height() int { return r.Bottom - r.Top + 1 }

// Width is the number of columns.
func (r Rect) Width() int { return r.Right - r.Left + 1 }

// Contains tells whether a cell lies in the rectangle.
func (r Rect) Contains(row, column int) bool {
	return row >= r.Top && row <= r.Bottom && column >= r.Left && column <= r.Right
}

// Union is the smallest rectangle around both.
func (r Rect) Union(o Rect) Rect {
	return Rect{min(r.Top, o.Top), min(r.Left, o.Left), max(r.Bottom, o.Bottom), max(r.Right, o.Right)}
}

// Intersects tells whether the rectangles share a cell.
func (r Rect) Intersects(o Rect) bool {
	return r.Top <= o.Bottom && o.Top <= r.Bottom && r.Left <= o.Right && o.Left <= r.Right
}

// touches tells whether the rectangles share a cell or an edge. A shared corner is not enough.
func (r Rect) touches(o Rect) bool {
	rows := max(r.Top, o.Top) - min(r.Bottom, o.Bottom)
	columns := max(r.Left, o.Left) - min(r.Right, o.Right)
	return rows <= 0 && columns <= 1 || rows <= 1 && columns <= 0
}

// String is the rectangle in A1 notation: "A3:C5", or "A1" for one cell.
func (r Rect) String() string {
	if r.Top == r.Bottom && r.Left == r.Right {
		return Name(r.Top, r.Left)
	}
	return Name(r.Top, r.Left) + ":" + Name(r.Bottom, r.Right)
}

// Name is a cell's name: Name(2, 0) is "A3".
func Name(row, column int) string {
	var buf [24]byte
	b := strconv.AppendInt(appendColumn(buf[:0], column), int64(row)+1, 10)
	return string(b)
}

// ColumnName is a column's letters: ColumnName(27) is "AB".
func ColumnName(column int) string { return string(appendColumn(nil, column)) }

func appendColumn(b []byte, column int) []byte {
	start := len(b)
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		b = append(b, byte('A'+(n-1)%26))
	}
	for i, j := start, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// ParseCell reads "A3" or "$A$3". ok is false for anything else, and for cells beyond MaxRows and MaxColumns.
func ParseCell(name string) (row, column int, ok bool) {
	i := 0
	if i < len(name) && name[i] == '$' {
		i++
	}
	for ; i < len(name) && isLetter(name[i]); i++ {
		if column = column*26 + int(name[i]&^0x20-'A') + 1; column > MaxColumns {
			return 0, 0, false
		}
	}
	if i < len(name) && name[i] == '$' {
		i++
	}
	digits := i
	for ; i < len(name) && name[i] >= '0' && name[i] <= '9'; i++ {
		if row = row*10 + int(name[i]-'0'); row > MaxRows {
			return 0, 0, false
		}
	}
	if i == digits || i != len(name) || row == 0 || column == 0 {
		return 0, 0, false
	}
	return row - 1, column - 1, true
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// ParseRect reads "A3:C5", "A3", "3:5" (whole rows) and "A:C" (whole columns), with or without "$".
func ParseRect(name string) (Rect, bool) {
	from, to, isRange := cutColon(name)
	if !isRange {
		row, column, ok := ParseCell(name)
		return Rect{row, column, row, column}, ok
	}
	top, left, ok1 := parseCorner(from, 1, 1)
	bottom, right, ok2 := parseCorner(to, MaxRows, MaxColumns)
	r := Rect{min(top, bottom), min(left, right), max(top, bottom), max(left, right)}
	return r, ok1 && ok2
}

func cutColon(s string) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == ':' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// parseCorner reads one end of a range; what is missing (the row of "A", the column of "3") takes the given number, from 1.
func parseCorner(name string, row, column int) (r, c int, ok bool) {
	if r, c, ok = ParseCell(name); ok {
		return r, c, true
	}
	plain := ""
	for i := range len(name) {
		if name[i] != '$' {
			plain += string(name[i])
		}
	}
	if n, err := strconv.Atoi(plain); err == nil && n >= 1 && n <= MaxRows {
		return n - 1, column - 1, true
	}
	if _, c, ok = ParseCell(plain + "1"); ok {
		return row - 1, c, true
	}
	return 0, 0, false
}
