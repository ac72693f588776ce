package doc_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
)

func TestMarksSurviveJSON(t *testing.T) {
	for _, want := range []doc.Marks{doc.Strong, doc.Emphasis | doc.Superscript, doc.SmallCaps | doc.Deleted} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got doc.Marks
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("marks %v became %s and then %v (%v)", want.Names(), text, got.Names(), err)
		}
	}
	var m doc.Marks
	if err := json.Unmarshal([]byte(`["bold"]`), &m); err == nil {
		t.Error("an unknown mark was accepted")
	}
}

func TestFinishNumbersInReadingOrderAndPrunes(t *testing.T) {
	d := doc.Document{Blocks: []doc.Block{
		doc.H(1, "Title"),
		{Kind: doc.Paragraph},
		{Kind: doc.List, Children: []doc.Block{{Kind: doc.Item, Children: []doc.Block{doc.P("one")}}}},
		{Kind: doc.Table, Table: &doc.Grid{Rows: 1, Columns: 1, Cells: []doc.Cell{{Blocks: []doc.Block{doc.P("cell"), {Kind: doc.Paragraph}}}}}},
		{Kind: doc.Group, Children: []doc.Block{{Kind: doc.Heading}}},
	}, Notes: []doc.Note{{ID: "1", Blocks: []doc.Block{doc.P("note")}}}}
	d.Finish()
	var got []string
	visit := func(b *doc.Block) bool {
		got = append(got, b.ID+" "+string(b.Kind))
		return true
	}
	doc.Walk(d.Blocks, visit)
	doc.Walk(d.Notes[0].Blocks, visit)
	want := []string{"b1 heading", "b2 list", "b3 item", "b4 paragraph", "b5 table", "b6 paragraph", "b7 paragraph"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks after Finish (-want +got):\n%s", diff)
	}
}

func TestPlainText(t *testing.T) {
	inlines := []doc.Inline{doc.T("a"), {Kind: doc.Break}, {Kind: doc.Math, Text: "x^2"}, {Kind: doc.NoteReference, Note: "1"}, {Kind: doc.Picture, Text: "alt"}}
	if got, want := doc.PlainText(inlines), "a\nx^2"; got != want {
		t.Errorf("PlainText = %q, want %q: places count its bytes", got, want)
	}
}

func TestWarningsAddUp(t *testing.T) {
	var d doc.Document
	for range 100 {
		d.Warn("page_failed", "A page could not be read.", doc.Place{Page: 1})
	}
	d.Warn("page_failed", "Another message.")
	if len(d.Warnings) != 2 || d.Warnings[0].Count != 100 || len(d.Warnings[0].Places) > 20 {
		t.Errorf("warnings = %+v", d.Warnings)
	}
}

func TestUnknownWarningClassIsOurOwnMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown class was accepted")
		}
	}()
	new(doc.Document).Warn("no_such_class", "x")
}

func TestFinishRoundsBoxes(t *testing.T) {
	shared := &doc.Box{X0: 56.692909240722656, Y1: 0.004}
	d := doc.Document{Blocks: []doc.Block{doc.P("a", doc.Place{Page: 1, Box: shared})}}
	d.Finish()
	if got := *d.Blocks[0].Places[0].Box; got != (doc.Box{X0: 56.69}) {
		t.Errorf("box = %+v", got)
	}
	if shared.Y1 != 0.004 {
		t.Error("a box that others may share was changed in place")
	}
}
