package pdf

import (
	"bytes"
	"compress/zlib"
	"io"
	"strconv"

	"decant/handler/internal/lazyregexp"
)

// PDFium ignores UserUnit (ISO 32000-2, 14.11.2: how many 1/72 inches one unit of a page is) and does not tell it.
// What is read here is only what it takes to find it: objects that are parts of the page tree, as text.

// Limits of the search. What lies beyond them counts as a unit of 1.
const (
	unitWindow  = 1 << 20  // bytes of the file looked at together
	unitOverlap = 32 << 10 // of two windows
	unitInflate = 64 << 20 // bytes of object streams inflated in all
	unitStream  = 8 << 20  // of one
	unitObject  = 16 << 10 // bytes of an object's text
	unitDepth   = 64       // of the page tree
)

var (
	unitKey     = []byte("/UserUnit")
	unitValue   = lazyregexp.New(`/UserUnit\s+(\d*\.?\d+)`)
	objectStart = lazyregexp.New(`(\d{1,10})\s+\d{1,5}\s+obj\b`)
	streamStart = lazyregexp.New(`/ObjStm\b[^\x00]{0,400}?stream\r?\n`)
	streamFirst = lazyregexp.New(`/First\s+(\d{1,9})`)
	treeKids    = lazyregexp.New(`/Kids\s*\[([^\]]*)\]`)
	treeNode    = lazyregexp.New(`/Type\s*/Pages?\b|/Kids\b`)
	reference   = lazyregexp.New(`(\d{1,10})\s+\d{1,5}\s+R`)
)

// unitSearch gathers the objects of the page tree by number.
type unitSearch struct {
	found    bool
	gather   bool // in the second round
	nodes    map[string]string
	inflated int64
}

// userUnits gives the units of the pages (from 0) that have one, or nil.
func userUnits(file io.ReaderAt, size int64) map[int]float64 {
	s := &unitSearch{nodes: map[string]string{}}
	s.round(file, size)
	if !s.found {
		return nil // nearly always
	}
	s.gather, s.inflated = true, 0
	s.round(file, size)
	return s.walk()
}

// round goes through the file: first to see whether there is any unit, then to gather the page tree.
func (s *unitSearch) round(file io.ReaderAt, size int64) {
	window := make([]byte, min(size, unitWindow+unitOverlap))
	for at := int64(0); at < size; at += unitWindow {
		n, _ := file.ReadAt(window[:min(int64(len(window)), size-at)], at)
		s.found = s.found || bytes.Contains(window[:n], unitKey)
		if s.gather {
			s.objects(window[:n])
		}
		for _, m := range streamStart.FindAllIndex(window[:n], -1) {
			if m[0] >= unitWindow {
				break // the next window begins there
			}
			s.objectStream(file, at+int64(m[0]), at+int64(m[1]), size)
		}
	}
}

// objects keeps the nodes of the page tree that stand in the open.
func (s *unitSearch) objects(data []byte) {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte(" obj"))
		if i < 0 {
			return
		}
		at += i + 4
		m := objectStart.FindSubmatch(data[max(0, at-20):at])
		if m == nil {
			continue
		}
		text := data[at:min(at+unitObject, len(data))]
		if end := bytes.Index(text, []byte("endobj")); end >= 0 {
			text = text[:end]
		}
		s.keep(string(m[1]), text)
	}
}

func (s *unitSearch) keep(number string, text []byte) {
	if treeNode.Match(text) {
		s.nodes[number] = string(text)
	}
}

// objectStream keeps the nodes of the page tree in an object stream (ISO 32000-2, 7.5.7).
func (s *unitSearch) objectStream(file io.ReaderAt, head, body, size int64) {
	header := make([]byte, body-head+400)
	from := max(0, head-400)
	n, _ := file.ReadAt(header, from)
	header = header[:min(int64(n), body-from)]
	m := streamFirst.FindAllSubmatch(header, -1)
	z, err := zlib.NewReader(io.NewSectionReader(file, body, size-body))
	if len(m) == 0 || err != nil || s.inflated > unitInflate {
		return
	}
	data, _ := io.ReadAll(io.LimitReader(z, unitStream))
	s.inflated += int64(len(data))
	s.found = s.found || bytes.Contains(data, unitKey)
	if !s.gather {
		return
	}
	first, _ := strconv.Atoi(string(m[len(m)-1][1]))
	if first > len(data) {
		return
	}
	index := bytes.Fields(data[:first])
	for i := 0; i+1 < len(index); i += 2 {
		start, err := strconv.Atoi(string(index[i+1]))
		if err != nil || start < 0 || first+start > len(data) {
			return
		}
		end := len(data) - first
		if i+3 < len(index) {
			if next, err := strconv.Atoi(string(index[i+3])); err == nil && next >= start && first+next <= len(data) {
				end = next
			}
		}
		s.keep(string(index[i]), data[first+start:first+min(end, start+unitObject)])
	}
}

// walk goes through the page tree and counts its leaves.
func (s *unitSearch) walk() map[int]float64 {
	units, seen, page := map[int]float64{}, map[string]bool{}, 0
	var visit func(number string, depth int)
	visit = func(number string, depth int) {
		text, known := s.nodes[number]
		if !known || seen[number] || depth > unitDepth {
			return
		}
		seen[number] = true
		kids := treeKids.FindStringSubmatch(text)
		if kids == nil {
			if m := unitValue.FindStringSubmatch(text); m != nil {
				if unit, err := strconv.ParseFloat(m[1], 64); err == nil && unit > 0 && unit <= 75_000 {
					units[page] = unit
				}
			}
			page++
			return
		}
		for _, m := range reference.FindAllStringSubmatch(kids[1], -1) {
			visit(m[1], depth+1)
		}
	}
	for number, text := range s.nodes {
		if treeKids.MatchString(text) && !bytes.Contains([]byte(text), []byte("/Parent")) {
			visit(number, 0)
			break
		}
	}
	return units
}
