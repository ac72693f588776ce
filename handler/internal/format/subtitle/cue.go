package subtitle

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/textfile"
)

// cue is one subtitle, or text that stands in no cue.
type cue struct {
	from, to string // as written; empty for text without a time line
	odd      bool   // the time line breaks the rules
	lines    []textfile.Line
}

// times is how a cue is named as a place.
func (c cue) times() string {
	if c.from == "" {
		return ""
	}
	return c.from + " --> " + c.to
}

// warn says what was wrong about a cue that was kept nonetheless.
func (c cue) warn(d *doc.Document) {
	switch {
	case len(c.lines) == 0:
	case c.from == "":
		d.Warn("repaired", "Text without a time line is no subtitle; it was kept as text.", doc.Place{Line: c.lines[0].Number})
	case c.odd:
		d.Warn("repaired", "The time line of a subtitle breaks the rules; its times were believed.", doc.Place{Part: c.times(), Line: c.lines[0].Number})
	}
}

// cues finds the time lines; what follows up to a blank line is the cue. Numbers, notes, styles, regions and the header are left out,
// text that belongs to none of them is kept.
func cues(text string) []cue {
	var r cueReader
	for line := range textfile.Lines(text) {
		if strings.TrimSpace(line.Text) == "" {
			r.endBlock()
			continue
		}
		r.take(line)
	}
	r.endBlock()
	r.keep(r.number)
	return r.list
}

// cueReader collects the cues of a file line by line.
type cueReader struct {
	list   []cue
	inCue  bool            // a time line stands above in this block
	before []textfile.Line // lines of this block above its time line
	number []textfile.Line // a block that is only a number: of the next block's cue, if that has a time line at its start
}

func (r *cueReader) take(line textfile.Line) {
	m, odd := timing.FindStringSubmatch(line.Text), false
	if m == nil && !r.inCue && len(r.before) < 2 && !isAside(r.before) {
		m, odd = oddTiming.FindStringSubmatch(line.Text), true
	}
	switch {
	case m != nil:
		r.open(cue{from: m[1], to: m[2], odd: odd})
	case r.inCue:
		last := &r.list[len(r.list)-1]
		last.lines = append(last.lines, line)
	default:
		r.before = append(r.before, line)
	}
}

// open begins a cue. The line above its time line is its name.
func (r *cueReader) open(c cue) {
	if len(r.before) > 0 {
		r.keep(r.number)
		if !isAside(r.before) {
			r.keep(r.before[:len(r.before)-1])
		}
	}
	r.number, r.before, r.inCue = nil, nil, true
	r.list = append(r.list, c)
}

// endBlock keeps a block that had no time line, unless it is a number, a note, a style, a region or the header.
func (r *cueReader) endBlock() {
	if lines := r.before; len(lines) > 0 && !isAside(lines) {
		r.keep(r.number)
		r.number = nil
		switch {
		case !isNumber(lines[0].Text):
			r.keep(lines)
		case len(lines) == 1:
			r.number = lines
		default:
			r.keep(lines[1:])
		}
	}
	r.before, r.inCue = nil, false
}

// keep adds lines that stand in no cue.
func (r *cueReader) keep(lines []textfile.Line) {
	if len(lines) > 0 {
		r.list = append(r.list, cue{lines: lines})
	}
}

// isAside tells a block that is not shown (WebVTT 4.1): the header, a comment, a style sheet, a region.
func isAside(lines []textfile.Line) bool {
	if len(lines) == 0 {
		return false
	}
	first := strings.TrimRight(strings.TrimPrefix(lines[0].Text, "\ufeff"), " \t")
	word, _, _ := strings.Cut(strings.ReplaceAll(first, "\t", " "), " ")
	switch word {
	case "NOTE":
		return true
	case "WEBVTT":
		return lines[0].Number <= 1
	case "STYLE", "REGION":
		return first == word
	}
	return false
}

func isNumber(text string) bool { return strings.Trim(strings.TrimSpace(text), "0123456789") == "" }
