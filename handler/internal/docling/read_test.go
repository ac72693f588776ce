package docling_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/docling"
)

// TestReadBack reads what Write wrote, and writes the same again.
func TestReadBack(t *testing.T) {
	write := func(d *doc.Document) string {
		var out bytes.Buffer
		if err := docling.Write(&out, d, "sample"); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := write(sample())
	d, err := docling.Read([]byte(first), docling.Reading{Depth: 100})
	if err != nil {
		t.Fatal(err)
	}
	d.Finish()
	if diff := cmp.Diff(texts(t, first), texts(t, write(d))); diff != "" {
		t.Errorf("the document is another one after a second round (-first +second):\n%s", diff)
	}
	if box := d.Blocks[1].Places[0].Box; box == nil || *box != (doc.Box{X0: 1, Y0: 2, X1: 3, Y1: 4}) {
		t.Errorf("box = %v", box)
	}
}

// texts are the labels and texts of a DoclingDocument.
func texts(t *testing.T, text string) (list []string) {
	t.Helper()
	var whole struct {
		Texts []struct{ Label, Text string }
	}
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		t.Fatal(err)
	}
	for _, x := range whole.Texts {
		if x.Label == "footnote" { // a note that nothing refers to is a paragraph
			x.Label = "text"
		}
		list = append(list, x.Label+": "+x.Text)
	}
	return list
}

func TestReadRefusesOtherJSON(t *testing.T) {
	for _, text := range []string{`{}`, `{"schema_name":"Other","body":{}}`, `{"schema_name":"DoclingDocument"}`} {
		if _, err := docling.Read([]byte(text), docling.Reading{}); !errors.Is(err, docling.ErrNotDocling) {
			t.Errorf("Read(%s) = %v", text, err)
		}
	}
}

// TestReadEndsInCircles: items that contain each other are read once.
func TestReadEndsInCircles(t *testing.T) {
	d, err := docling.Read([]byte(`{"schema_name":"DoclingDocument","body":{"children":[{"$ref":"#/groups/0"},{"$ref":"#/groups/-1"},{"$ref":"#/body"}]},
		"groups":[{"label":"list","children":[{"$ref":"#/texts/0"},{"$ref":"#/groups/0"}]}],
		"texts":[{"label":"list_item","text":"once","children":[{"$ref":"#/groups/0"},{"$ref":"#/texts/0"}]}]}`), docling.Reading{Depth: 5})
	if err != nil || len(d.Blocks) != 1 || len(d.Blocks[0].Children) != 1 {
		t.Errorf("Read = %+v, %v", d, err)
	}
}
