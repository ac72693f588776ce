package docx

// counter holds the current numbers of one abstract numbering, which all lists made from it share.
type counter struct {
	value [9]int
	used  [9]bool
}

// position is where a numbered paragraph stands.
type position struct {
	num   *num
	level int
	def   *levelDef
	value int    // its own number
	label string // as printed: "1.2", "(a)"; "" for bullets
	plain bool   // the label is just the number and a full stop or parenthesis
	guess bool   // the number format is not known
}

// next counts on and gives the position of a paragraph with that reference, or nil when it has no number.
func (n *numbering) next(id string, level int) *position {
	num := n.nums[id]
	if num == nil || level < 0 || level > 8 {
		return nil
	}
	c := n.counters[num.abstract]
	if c == nil {
		c = &counter{}
		n.counters[num.abstract] = c
	}
	c.step(num, level)
	pos := &position{num: num, level: level, def: num.level(level), value: c.value[level]}
	pos.label, pos.guess = c.label(num, level)
	pos.plain = isPlain(pos.def, pos.label, pos.value)
	return pos
}

// step advances one level and restarts those below it (ECMA-376 part 1, 17.9.10 lvlRestart, 17.9.26 startOverride).
func (c *counter) step(n *num, level int) {
	if n.restarts[level] >= 0 && !n.started[level] {
		n.started[level] = true
		c.used[level] = false
	}
	if c.used[level] {
		c.value[level]++
	} else {
		c.value[level] = n.start(level)
		c.used[level] = true
	}
	for below := level + 1; below < 9; below++ {
		restart := n.level(below).restart
		if restart == 0 || restart > 0 && level+1 > restart {
			continue
		}
		c.used[below] = false
	}
}

func (n *num) start(level int) int {
	if n.restarts[level] >= 0 {
		return n.restarts[level]
	}
	return n.level(level).start
}

// current is a level's number for a label; a level that was not used yet shows its start.
func (c *counter) current(n *num, level int) int {
	if c.used[level] {
		return c.value[level]
	}
	return n.start(level)
}

// label writes the level's text with the numbers filled in.
func (c *counter) label(n *num, level int) (label string, guess bool) {
	def := n.level(level)
	if def.format == "bullet" || !def.set {
		return "", false
	}
	var out []byte
	for i := 0; i < len(def.text); i++ {
		ch := def.text[i]
		if ch != '%' || i+1 >= len(def.text) || def.text[i+1] < '1' || def.text[i+1] > '9' {
			out = append(out, ch)
			continue
		}
		i++
		at := int(def.text[i] - '1')
		format := n.level(at).format
		if def.legal {
			format = "decimal"
		}
		text, known := formatNumber(c.current(n, at), format)
		guess = guess || !known
		out = append(out, text...)
	}
	return string(out), guess
}

// isPlain tells whether a renderer gets the label right from the list alone.
func isPlain(def *levelDef, label string, value int) bool {
	number, _ := formatNumber(value, "decimal")
	return def.format == "bullet" || label == number+"." || label == number+")" || label == number
}
