package markdown_test

import (
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"

	"github.com/google/go-cmp/cmp"
)

func marked(marks doc.Marks, text string) doc.Inline {
	return doc.Inline{Kind: doc.Text, Text: text, Marks: marks}
}

func par(inlines ...doc.Inline) doc.Block { return doc.Block{Kind: doc.Paragraph, Inlines: inlines} }

func item(blocks ...doc.Block) doc.Block { return doc.Block{Kind: doc.Item, Children: blocks} }

func labelled(number string, blocks ...doc.Block) doc.Block {
	return doc.Block{Kind: doc.Item, Number: number, Children: blocks}
}

func bullets(items ...doc.Block) doc.Block { return doc.Block{Kind: doc.List, Children: items} }

func counted(start int, items ...doc.Block) doc.Block {
	return doc.Block{Kind: doc.List, Ordered: true, Start: start, Children: items}
}

// table makes a grid from rows of texts; "" is an empty cell.
func table(headerRows int, rows ...[]string) doc.Block {
	g := &doc.Grid{Rows: len(rows), HeaderRows: headerRows}
	for r, row := range rows {
		g.Columns = max(g.Columns, len(row))
		for c, text := range row {
			cell := doc.Cell{Row: r, Column: c}
			if text != "" {
				cell.Blocks = []doc.Block{doc.P(text)}
			}
			g.Cells = append(g.Cells, cell)
		}
	}
	return doc.Block{Kind: doc.Table, Table: g}
}

func document(blocks ...doc.Block) *doc.Document {
	d := &doc.Document{Format: "test", Blocks: blocks}
	d.Finish()
	return d
}

var blockCases = []struct {
	name string
	doc  *doc.Document
	want string
}{
	{"numbers of headings are printed", document(
		doc.Block{Kind: doc.Heading, Level: 1, Number: "1.", Inlines: []doc.Inline{doc.T("Introduction")}},
		doc.Block{Kind: doc.Heading, Level: 2, Number: "1.1", Inlines: []doc.Inline{doc.T("Scope")}},
	), "# 1. Introduction\n\n## 1.1 Scope\n"},
	{"levels beyond six", document(doc.H(9, "deep")), "###### deep\n"},
	{"list numbers go on and start anew (C9)", document(
		counted(1, item(doc.P("one")), item(doc.P("two"))), doc.P("between"),
		counted(3, item(doc.P("three"))), counted(1, item(doc.P("fresh"))),
		bullets(labelled("(a)", doc.P("alpha")), labelled("(b)", doc.P("beta"))),
	), "1. one\n2. two\n\nbetween\n\n3. three\n\n<!-- -->\n\n1. fresh\n\n- (a) alpha\n- (b) beta\n"},
	{"nested and loose lists", document(bullets(
		item(doc.P("a"), bullets(item(doc.P("b"), counted(0, item(doc.P("c")))))), item(doc.P("d")))),
		"- a\n  - b\n    1. c\n- d\n"},
	{"an item of two paragraphs", document(bullets(item(doc.P("a"), doc.P("b")), item(doc.P("c")))), "- a\n\n  b\n\n- c\n"},
	{"code in an item", document(bullets(item(doc.Block{Kind: doc.Code, Text: "x\n  y\n\n", Language: "go"}))), "- ```go\n  x\n    y\n\n  ```\n"},
	{"a fence longer than what it holds", document(doc.Block{Kind: doc.Code, Text: "```\nx\n```"}), "````\n```\nx\n```\n````\n"},
	{"simple table", document(table(1, []string{"Region", "Amount"}, []string{"North", "1200"}, []string{"", "9|00"})),
		"| Region | Amount |\n| --- | --- |\n| North | 1200 |\n|  | 9\\|00 |\n"},
	{"two header rows take an HTML table", document(table(2, []string{"A", "B"}, []string{"a", "b"}, []string{"1", "2"})),
		"<table>\n<thead>\n<tr><th>A</th><th>B</th></tr>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td>2</td></tr>\n</tbody>\n</table>\n"},
	{"spans take an HTML table", document(doc.Block{Kind: doc.Table, Table: &doc.Grid{Rows: 2, Columns: 3, Cells: []doc.Cell{
		{Row: 0, Column: 0, RowSpan: 2, Blocks: []doc.Block{doc.P("a < b")}},
		{Row: 0, Column: 1, Blocks: []doc.Block{bullets(item(doc.P("x")))}},
		{Row: 1, Column: 1, ColSpan: 2, Blocks: []doc.Block{doc.P("y"), doc.P("z")}},
	}}}), "<table>\n<tr><td rowspan=\"2\">a &lt; b</td><td><ul><li>x</li></ul></td><td></td></tr>\n<tr><td colspan=\"2\">y<br>z</td></tr>\n</table>\n"},
	{"hidden rows and columns are left out (C4)", document(doc.Block{Kind: doc.Table, Table: &doc.Grid{Rows: 2, Columns: 2, HeaderRows: 1, Cells: []doc.Cell{
		{Row: 0, Column: 0, Blocks: []doc.Block{doc.P("a")}}, {Row: 0, Column: 1, Hidden: true, Blocks: []doc.Block{doc.P("secret")}},
		{Row: 1, Column: 0, Hidden: true, Blocks: []doc.Block{doc.P("secret")}}, {Row: 1, Column: 1, Hidden: true, Blocks: []doc.Block{doc.P("secret")}},
	}}}), "| a |\n| --- |\n"},
	{"caption before the table", document(doc.Block{Kind: doc.Table, Number: "Table 1", Caption: []doc.Inline{doc.T("Units")}, Table: table(1, []string{"a"}).Table}),
		"Table 1 Units\n\n| a |\n| --- |\n"},
	{"sheets and slides (C1, C11)", document(
		doc.Block{Kind: doc.Group, Role: doc.RoleSheet, Label: "Q1", Children: []doc.Block{doc.P("Sales report 2025")}},
		doc.Block{Kind: doc.Group, Role: doc.RoleSlide, Label: "Plan", Children: []doc.Block{doc.H(2, "Plan"),
			{Kind: doc.Group, Role: doc.RoleNotes, Children: []doc.Block{doc.P("say hello")}}}},
	), "## Q1\n\nSales report 2025\n\n## Plan\n\n> Notes:\n>\n> say hello\n"},
	{"tasks in a cell", document(doc.Block{Kind: doc.Table, Table: &doc.Grid{Rows: 1, Columns: 1, Cells: []doc.Cell{{Blocks: []doc.Block{bullets(
		doc.Block{Kind: doc.Item, Checked: new(bool), Children: []doc.Block{doc.P("a")}}, item(doc.P("b")))}}}}}),
		"<table>\n<tr><td><ul><li>[ ] a</li><li>b</li></ul></td></tr>\n</table>\n"},
	{"quotes", document(doc.Block{Kind: doc.Quote, Label: "Note", Children: []doc.Block{doc.P("a"), bullets(item(doc.P("b")))}}),
		"> [!NOTE]\n> a\n>\n> - b\n"},
	{"definition list", document(doc.Block{Kind: doc.Terms, Children: []doc.Block{
		{Kind: doc.Term, Inlines: []doc.Inline{doc.T("Term")}}, {Kind: doc.Details, Children: []doc.Block{doc.P("what"), doc.P("more")}},
		{Kind: doc.Term, Inlines: []doc.Inline{doc.T("Next")}}, {Kind: doc.Details, Children: []doc.Block{doc.P("it")}}}}),
		"Term\n: what\n\n  more\n\nNext\n: it\n"},
	{"formula with its number", document(doc.Block{Kind: doc.Formula, Text: "E=mc^2", Number: "(3)"}), "$$E=mc^2 \\tag{3}$$\n"},
	{"a rule at the start is not front matter", document(doc.Block{Kind: doc.Rule}, doc.P("a"), doc.Block{Kind: doc.Rule}), "***\n\na\n\n---\n"},
	{"nothing", document(), ""},
	{"blank text", document(doc.P("  \n ")), ""},
}

func TestRenderBlocks(t *testing.T) {
	for _, c := range blockCases {
		t.Run(c.name, func(t *testing.T) {
			got := markdown.Render(c.doc, markdown.Options{})
			if diff := cmp.Diff(c.want, got.Text); diff != "" {
				t.Error(diff)
			}
			checkMap(t, got)
		})
	}
}

func TestRenderNotes(t *testing.T) {
	d := document(par(doc.T("Fact"), doc.Inline{Kind: doc.NoteReference, Note: "1"}, doc.T(" and more"),
		doc.Inline{Kind: doc.NoteReference, Note: "e1"}, doc.T(".")))
	d.Notes = []doc.Note{{ID: "1", Kind: "footnote", Blocks: []doc.Block{doc.P("See Smith."), doc.P("Twice.")}}, {ID: "e1", Kind: "endnote", Blocks: []doc.Block{doc.P("End.")}}}
	d.Annotations = []doc.Annotation{{Kind: "comment", Author: "Ann", Text: "check", Range: "Fact"}}
	d.Finish()
	want := "Fact[^1] and more[^e1].\n\n[^1]: See Smith.\n\n    Twice.\n\n[^e1]: End.\n"
	got := markdown.Render(d, markdown.Options{})
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Error(diff)
	}
	checkMap(t, got)
	shown := markdown.Render(d, markdown.Options{Comments: true}).Text
	if !strings.Contains(shown, "- Ann: check (on “Fact”)") {
		t.Errorf("the comment is missing in %q", shown)
	}
}

// checkMap holds an output to what Output promises.
func checkMap(t *testing.T, o *markdown.Output) {
	t.Helper()
	last := 0
	for _, s := range o.Spans {
		if s.Start < last || s.End <= s.Start || s.End > len(o.Text) {
			t.Fatalf("span %d..%d after %d in %d bytes", s.Start, s.End, last, len(o.Text))
		}
		last = s.End
		plain := s.Block.PlainText()
		if s.Caption {
			plain = doc.PlainText(s.Block.Caption)
		}
		if s.From < 0 || s.To > len(plain) || s.From > s.To {
			t.Fatalf("span %q is %d..%d of %q", o.Text[s.Start:s.End], s.From, s.To, plain)
		}
		if text := o.Text[s.Start:s.End]; s.To-s.From == len(text) && text != plain[s.From:s.To] && !strings.Contains(plain[s.From:s.To], "\n") {
			t.Errorf("span %q stands for %q", text, plain[s.From:s.To])
		}
	}
	for i, n := range o.Nodes {
		if n.Start > n.End || n.End > len(o.Text) || int(n.Last) <= i || int(n.Last) > len(o.Nodes) {
			t.Fatalf("node %d is %+v", i, n)
		}
		if i > 0 && n.Start < o.Nodes[i-1].Start {
			t.Errorf("node %d starts before the one before it", i)
		}
		for j := i + 1; j < int(n.Last); j++ {
			if o.Nodes[j].End > n.End {
				t.Errorf("node %d (%s) sticks out of node %d", j, o.Text[o.Nodes[j].Start:o.Nodes[j].End], i)
			}
		}
		if strings.TrimSpace(o.Text[n.Start:n.End]) != o.Text[n.Start:n.End] {
			t.Errorf("node %d has blanks at its ends: %q", i, o.Text[n.Start:n.End])
		}
	}
}

// TestAnchors: only places that a link goes to are marked.
func TestAnchors(t *testing.T) {
	d := document(
		doc.Block{Kind: doc.Paragraph, Inlines: []doc.Inline{{Kind: doc.Text, Text: "go", Link: "#here"}}},
		doc.Block{Kind: doc.Paragraph, Anchor: "here", Inlines: []doc.Inline{doc.T("Here.")}},
		doc.Block{Kind: doc.Paragraph, Anchor: "there", Inlines: []doc.Inline{doc.T("There.")}},
	)
	if diff := cmp.Diff("[go](#here)\n\n<span id=\"here\"></span>Here.\n\nThere.\n", markdown.Render(d, markdown.Options{}).Text); diff != "" {
		t.Error(diff)
	}
}
