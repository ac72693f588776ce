package markup

// Cursor is a place in a text's lines.
type Cursor struct {
	Lines []string
	At    int // of the line to be read next
}

// More tells whether there is a line to be read.
func (c *Cursor) More() bool { return c.At < len(c.Lines) }

// Line is the line to be read next; there must be one.
func (c *Cursor) Line() string { return c.Lines[c.At] }

// Next is the line behind that; "" at the end.
func (c *Cursor) Next() string {
	if c.At+1 < len(c.Lines) {
		return c.Lines[c.At+1]
	}
	return ""
}

// While takes lines as long as they fit.
func (c *Cursor) While(fits func(line string) bool) []string {
	start := c.At
	for c.More() && fits(c.Line()) {
		c.At++
	}
	return c.Lines[start:c.At]
}

// UntilBlank takes the lines up to a blank one.
func (c *Cursor) UntilBlank() []string {
	return c.While(func(line string) bool { return line != "" })
}

// First is the first line from here on that is not passed over; "" when there is none.
func (c *Cursor) First(pass func(line string) bool) string {
	for i := c.At; i < len(c.Lines); i++ {
		if !pass(c.Lines[i]) {
			return c.Lines[i]
		}
	}
	return ""
}
