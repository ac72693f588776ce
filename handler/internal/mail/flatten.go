package mail

import "strings"

// flatten reads a multipart at the bound of depth: whatever is in it, however deep, becomes a part of it, side by side, so that
// no text is lost. Its body is gone through once: to take it apart level by level takes its size times the number of levels.
func (m *Message) flatten(p *Part) {
	f := flattening{m: m, p: p, boundaries: map[string]bool{}}
	f.enter(p)
	p.Type = "multipart/mixed" // all of it is read: which parts are forms of the same is not known any more
	m.Flattened++
	for rest := p.Body; rest != "" && !m.Cut; {
		line, after := cutLine(rest)
		at := len(p.Body) - len(rest)
		if closing, ok := f.delimiter(line); ok {
			f.end(at)
			if rest = after; !closing {
				rest = f.begin(after)
			}
			continue
		}
		rest = after
	}
	f.end(len(p.Body))
}

// flattening is the state of flatten.
type flattening struct {
	m          *Message
	p          *Part
	boundaries map[string]bool // of all multiparts so far
	open       *Part           // the part that is being read
	start      int             // where its content begins in the body of p
	preamble   string          // the boundary before whose first delimiter nothing counts
}

// enter takes note of the boundary of a multipart.
func (f *flattening) enter(p *Part) {
	f.preamble = strings.TrimRight(p.Params["boundary"], " \t")
	if f.preamble != "" {
		f.boundaries[f.preamble] = true
	}
}

// delimiter tells whether a line stands between parts, and whether it ends a multipart.
func (f *flattening) delimiter(line string) (closing, ok bool) {
	name, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), "--")
	switch {
	case !ok || name == "":
		return false, false
	case f.boundaries[name]:
		return false, f.meet(name)
	}
	name, closing = strings.CutSuffix(name, "--")
	return closing, closing && f.boundaries[name] && f.meet(name)
}

// meet drops what stands before the first delimiter of a multipart (RFC 2046, 5.1.1). It is always true.
func (f *flattening) meet(boundary string) bool {
	if f.open != nil && strings.HasPrefix(f.open.Type, "multipart/") && boundary == f.preamble {
		f.open = nil
	}
	return true
}

// begin reads the header of a part and gives what follows it.
func (f *flattening) begin(text string) string {
	if f.m.isFull() {
		return ""
	}
	part := &Part{Path: f.p.below(len(f.p.Parts) + 1)}
	var body string
	var repaired int
	part.Header, body, repaired = readHeader(text)
	f.m.Repaired += repaired
	part.describe()
	if strings.HasPrefix(part.Type, "multipart/") {
		f.m.Flattened++
		f.enter(part)
	}
	f.open, f.start = part, len(f.p.Body)-len(body)
	return body
}

// end takes in the open part, which ends there. A multipart whose own delimiter never came is text.
func (f *flattening) end(at int) {
	part := f.open
	f.open = nil
	if part == nil {
		return
	}
	part.Body = trimLineEnd(f.p.Body[min(f.start, at):at])
	if strings.HasPrefix(part.Type, "multipart/") {
		part.Type = "text/plain"
	}
	f.p.Parts = append(f.p.Parts, part)
}
