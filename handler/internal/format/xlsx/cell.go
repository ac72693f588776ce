package xlsx

import (
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/drawingml"
	"decant/handler/internal/grid"
	"decant/handler/internal/numfmt"
)

// cellMaker turns raw cells into cells as a person sees them.
type cellMaker struct {
	book   *workbook
	shared sharedFormulas

	// what went wrong, counted for the loss report
	uncached, badString, unsafeLink int
}

// classOf maps the kinds of number formats to cell classes.
var classOf = [...]grid.Class{numfmt.Number: grid.Number, numfmt.Date: grid.Date, numfmt.Time: grid.Time, numfmt.Duration: grid.Duration, numfmt.TextKind: grid.Number}

// make gives the cell, and false when it shows nothing and stores nothing.
func (m *cellMaker) make(raw *Raw) (grid.Cell, bool) {
	style := m.book.styles.at(raw.Style)
	c := grid.Cell{Row: int32(raw.Row), Column: int32(raw.Column), Bold: style.bold}
	if raw.HasValue {
		m.value(&c, raw, style.format)
	}
	if raw.Formula != nil {
		m.addFormula(&c, raw)
	}
	return c, c.Text != "" || c.Raw != "" && strings.TrimSpace(c.Raw) != ""
}

func (m *cellMaker) value(c *grid.Cell, raw *Raw, format *numfmt.Format) {
	switch raw.Type {
	case "s":
		m.sharedString(c, raw, format)
	case "str", "inlineStr":
		c.Text = format.Text(unescape(string(raw.Value)))
		keepLooks(c, inlinesOf(raw.Value, raw.runs), len(raw.Value))
	case "b":
		c.Class, c.Raw, c.Text = grid.Boolean, string(raw.Value), "FALSE"
		if isTrue(c.Raw, false) {
			c.Text = "TRUE"
		}
	case "e":
		c.Class, c.Text = grid.Error, string(raw.Value)
		c.Raw = c.Text
	case "d":
		c.Class, c.Raw = grid.Date, string(raw.Value)
		c.ISO = strings.TrimSuffix(c.Raw, "T00:00:00")
		c.Text = strings.Replace(c.ISO, "T", " ", 1)
	default:
		m.number(c, raw, format)
	}
	if c.Class == grid.Text {
		c.Text = tidy(c.Text)
	}
}

func (m *cellMaker) sharedString(c *grid.Cell, raw *Raw, format *numfmt.Format) {
	n, err := strconv.Atoi(string(raw.Value))
	text, ok := m.book.strings.at(n)
	if err != nil || !ok {
		m.badString++
		return
	}
	c.Text = format.Text(text)
	keepLooks(c, m.book.strings.rich[n], len(text))
}

// keepLooks keeps the looks of a text's parts, unless the number format put words around it.
func keepLooks(c *grid.Cell, inlines []doc.Inline, length int) {
	if inlines != nil && len(c.Text) == length {
		extraOf(c).Inlines = inlines
	}
}

func (m *cellMaker) number(c *grid.Cell, raw *Raw, format *numfmt.Format) {
	c.Class, c.Raw = grid.Number, string(raw.Value)
	if format.IsGeneral() && isPlainInteger(c.Raw) {
		c.Text = c.Raw
		return
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(c.Raw), 64)
	if err != nil {
		c.Class, c.Text = grid.Text, c.Raw
		return
	}
	shown := format.Number(v, c.Raw, m.book.epoch1904)
	c.Class, c.Text, c.ISO = classOf[shown.Kind], shown.Text, shown.ISO
}

// isPlainInteger: up to 15 digits, which need no rounding.
func isPlainInteger(raw string) bool {
	if raw == "" || len(raw) > 15 || len(raw) > 1 && raw[0] == '0' {
		return false
	}
	for i := range len(raw) {
		if raw[i] < '0' || raw[i] > '9' {
			return false
		}
	}
	return true
}

// addFormula keeps the formula beside the value, or shows it when the file has no result for it.
func (m *cellMaker) addFormula(c *grid.Cell, raw *Raw) {
	formula := m.shared.text(raw)
	if formula == "" {
		return
	}
	cached := raw.HasValue && (len(raw.Value) > 0 || raw.Type == "str" || raw.Type == "inlineStr") // writers leave <v></v> where they cannot compute
	extraOf(c).Formula, c.Extra.Cached = formula, cached
	if link := hyperlink(formula); link != "" {
		if drawingml.SafeLink(link) {
			c.Extra.Link = link
		} else {
			m.unsafeLink++
		}
	}
	if !cached {
		m.uncached++
		c.Text = "=" + formula
	}
}

// tidy takes white space off a text's ends, and what Excel does not show inside.
func tidy(text string) string {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSpace(text)
}
