package docling_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/docling"
)

func sample() *doc.Document {
	d := &doc.Document{
		Pages: []doc.Page{{Number: 1, Kind: "page", Width: 595, Height: 842}},
		Blocks: []doc.Block{
			{Kind: doc.Heading, Level: 2, Number: "1.1", Inlines: []doc.Inline{doc.T("Scope")}},
			doc.P("Größe", doc.Place{Page: 1, Box: &doc.Box{X0: 1, Y0: 2, X1: 3, Y1: 4}, From: 0, To: 7}),
			{Kind: doc.List, Ordered: true, Children: []doc.Block{
				{Kind: doc.Item, Children: []doc.Block{doc.P("one"), {Kind: doc.List, Children: []doc.Block{{Kind: doc.Item, Children: []doc.Block{doc.P("deep")}}}}}},
			}},
			{Kind: doc.Table, Caption: []doc.Inline{doc.T("Units")}, Table: &doc.Grid{Rows: 2, Columns: 1, HeaderRows: 1, Cells: []doc.Cell{
				{Row: 0, Column: 0, Blocks: []doc.Block{doc.P("a")}}, {Row: 1, Column: 0, Blocks: []doc.Block{doc.P("b")}}}}},
			{Kind: doc.Group, Role: doc.RoleSlide, Label: "Plan", Children: []doc.Block{doc.P("inside")}},
			{Kind: doc.Figure, Image: "i1", Caption: []doc.Inline{doc.T("A logo")}},
			{Kind: doc.Code, Text: "x := 1"}, {Kind: doc.Formula, Text: "E=mc^2"},
		},
		Furniture: []doc.Block{doc.P("page 1")},
		Notes:     []doc.Note{{ID: "1", Blocks: []doc.Block{doc.P("See Smith.")}}},
	}
	d.Finish()
	return d
}

// TestReferencesHold checks that every child is there, and names its parent back, as docling-core demands.
func TestReferencesHold(t *testing.T) {
	var out bytes.Buffer
	if err := docling.Write(&out, sample(), "sample"); err != nil {
		t.Fatal(err)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(out.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	type node struct {
		Self   string `json:"self_ref"`
		Text   string
		Label  string
		Parent *struct {
			Ref string `json:"$ref"`
		}
		Children []struct {
			Ref string `json:"$ref"`
		}
	}
	nodes := map[string]node{}
	for _, kind := range []string{"texts", "groups", "tables", "pictures"} {
		var list []node
		if err := json.Unmarshal(whole[kind], &list); err != nil {
			t.Fatal(err)
		}
		for _, n := range list {
			nodes[n.Self] = n
		}
	}
	var body node
	if err := json.Unmarshal(whole["body"], &body); err != nil {
		t.Fatal(err)
	}
	nodes["#/body"] = body
	var texts []string
	var walk func(n node)
	walk = func(n node) {
		if n.Text != "" {
			texts = append(texts, n.Label+":"+n.Text)
		}
		for _, c := range n.Children {
			child, ok := nodes[c.Ref]
			if !ok || child.Parent == nil || child.Parent.Ref != n.Self {
				t.Errorf("%s has the child %s, which is %+v", n.Self, c.Ref, child)
			}
			walk(child)
		}
	}
	walk(body)
	want := "section_header:1.1 Scope text:Größe list_item:one list_item:deep caption:Units text:inside caption:A logo code:x := 1 formula:E=mc^2 footnote:See Smith. text:page 1"
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("texts in order:\n got %s\nwant %s", got, want)
	}
	if !strings.Contains(out.String(), `"charspan":[0,5]`) {
		t.Error("charspan does not count characters")
	}
}
