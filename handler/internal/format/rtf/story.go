package rtf

import (
	"strings"

	"decant/handler/internal/doc"
)

// story is one sequence of paragraphs that is being written: the body, a note, a header, a text box.
type story struct {
	p       *parser
	endnote bool
	flow    flow
	tables  []*table // open tables, outermost first
	blocks  []doc.Block

	inlines []doc.Inline // of the paragraph that is being read
	beside  []doc.Block  // anchored in it
	anchors []string
	label   *label // printed before its text
	hidden  strings.Builder
}

// maxJoined bounds the text that pieces of the same looks are joined to: joining copies.
const maxJoined = 64 << 10

// text adds text with the looks of the state.
func (s *story) text(text string, st *state) {
	p := s.p
	if st.hidden && p.in.Options.Hidden != "include" {
		s.hidden.WriteString(text)
		return
	}
	marks, shown := p.revise(text, st)
	if !shown {
		return
	}
	p.collect(text)
	in := doc.Inline{Kind: doc.Text, Text: text, Marks: st.marks | marks, Link: st.link}
	if in.Link != "" {
		in.Marks &^= doc.Underline
	}
	if last := len(s.inlines) - 1; last >= 0 {
		end := &s.inlines[last]
		if end.Kind == doc.Text && len(end.Text) < maxJoined && end.Link == in.Link && end.Marks == in.Marks {
			end.Text += text
			return
		}
	}
	s.inlines = append(s.inlines, in)
}

func (s *story) lineBreak(st *state) {
	if _, shown := s.p.revise("", st); shown {
		s.inlines = append(s.inlines, doc.Inline{Kind: doc.Break})
	}
}

func (s *story) add(in doc.Inline) { s.inlines = append(s.inlines, in) }

func (s *story) anchored(b doc.Block) { s.beside = append(s.beside, b) }

// paragraphEnd makes what was read since the last one a paragraph of the table cell or text that it stands in.
func (s *story) paragraphEnd(st *state) {
	depth := st.par.depth()
	s.closeTables(depth)
	for len(s.tables) < depth {
		s.tables = append(s.tables, &table{})
	}
	s.keepHidden()
	f := s.target(depth)
	f.paragraph(s, &st.par, depth > 0)
	s.inlines, s.beside, s.label = nil, nil, nil
}

// target is where blocks at that depth of tables go.
func (s *story) target(depth int) *flow {
	if depth == 0 {
		return &s.flow
	}
	return &s.tables[depth-1].cell
}

// closeTables ends the tables deeper than depth.
func (s *story) closeTables(depth int) {
	for len(s.tables) > depth {
		last := len(s.tables) - 1
		t := s.tables[last]
		s.tables = s.tables[:last]
		t.endRow(nil)
		for _, b := range t.blocks(s.p) {
			s.target(last).add(b)
		}
	}
}

func (s *story) keepHidden() {
	text := strings.TrimSpace(s.hidden.String())
	s.hidden.Reset()
	if text != "" {
		d := s.p.doc
		d.Hidden = append(d.Hidden, doc.Hidden{Reason: "hidden_text", Blocks: []doc.Block{doc.P(text)}})
		d.Warn("hidden_text", "Text that is formatted as hidden was kept apart.")
	}
}

// finish ends the last paragraph and all tables and gives the blocks.
func (s *story) finish() []doc.Block {
	if len(trim(s.inlines)) > 0 || len(s.beside) > 0 {
		last := bare
		s.paragraphEnd(&state{par: last})
	}
	s.closeTables(0)
	return s.flow.finish()
}

// trim takes white space and breaks off both ends.
func trim(inlines []doc.Inline) []doc.Inline {
	for len(inlines) > 0 {
		first := &inlines[0]
		if first.Kind == doc.Text {
			first.Text = strings.TrimLeft(first.Text, " \t\n")
		}
		if first.Kind != doc.Break && (first.Kind != doc.Text || first.Text != "") {
			break
		}
		inlines = inlines[1:]
	}
	for len(inlines) > 0 {
		last := &inlines[len(inlines)-1]
		if last.Kind == doc.Text {
			last.Text = strings.TrimRight(last.Text, " \t\n")
		}
		if last.Kind != doc.Break && (last.Kind != doc.Text || last.Text != "") {
			break
		}
		inlines = inlines[:len(inlines)-1]
	}
	return inlines
}
