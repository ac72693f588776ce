package xlsx

import (
	"strings"

	"decant/handler/internal/grid"
)

// sharedFormulas are the shared formulas of a sheet: the first cell has the text, the others only its number (18.3.1.40).
type sharedFormulas map[string]masterFormula

type masterFormula struct {
	text        string
	row, column int
}

// text gives a cell's formula, worked out for the cell when it is shared.
func (m sharedFormulas) text(c *Raw) string {
	f := c.Formula
	if f.Shared == "" || f.Text != "" {
		if f.Shared != "" {
			m[f.Shared] = masterFormula{f.Text, c.Row, c.Column}
		}
		return f.Text
	}
	master, ok := m[f.Shared]
	if !ok {
		return ""
	}
	return shift(master.text, c.Row-master.row, c.Column-master.column)
}

// shift moves a formula's relative references by rows and columns. Texts, sheet names in quotes and function names stay.
func shift(formula string, rows, columns int) string {
	var b strings.Builder
	for i := 0; i < len(formula); {
		c := formula[i]
		switch {
		case c == '"' || c == '\'':
			end := strings.IndexByte(formula[i+1:], c)
			if end < 0 {
				end = len(formula) - i - 2
			}
			b.WriteString(formula[i : i+end+2])
			i += end + 2
		case isWordByte(c):
			end := i
			for end < len(formula) && isWordByte(formula[end]) {
				end++
			}
			b.WriteString(shiftWord(formula[i:end], formula[end:], rows, columns))
			i = end
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c == '$' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// shiftWord moves one word when it is a reference: not a function (a parenthesis follows), not a sheet's name (a "!" follows).
func shiftWord(word, rest string, rows, columns int) string {
	if strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "!") {
		return word
	}
	row, column, ok := grid.ParseCell(word)
	if !ok {
		return word
	}
	letters := strings.TrimRight(word, "0123456789")
	fixedColumn, fixedRow := strings.HasPrefix(letters, "$"), strings.HasSuffix(letters, "$")
	if !fixedRow {
		row += rows
	}
	if !fixedColumn {
		column += columns
	}
	if row < 0 || column < 0 {
		return "#REF!"
	}
	name := ""
	if fixedColumn {
		name = "$"
	}
	name += grid.ColumnName(column)
	if fixedRow {
		name += "$"
	}
	return name + strings.TrimLeft(grid.Name(row, 0), "A")
}

// hyperlink finds the address in HYPERLINK("address","text"), the formula that makes a link.
func hyperlink(formula string) string {
	const call = "HYPERLINK("
	if len(formula) < len(call) || !strings.EqualFold(formula[:len(call)], call) {
		return ""
	}
	rest := strings.TrimSpace(formula[len(call):])
	if !strings.HasPrefix(rest, `"`) {
		return ""
	}
	address, after, ok := strings.Cut(rest[1:], `"`)
	if after = strings.TrimSpace(after); !ok || after == "" || after[0] != ',' && after[0] != ')' {
		return "" // put together from pieces
	}
	return address
}
