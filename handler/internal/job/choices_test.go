package job_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/job"
)

func TestDefaultsAreTheFirstWords(t *testing.T) {
	o := job.Options{}.Normalize()
	for _, c := range job.Choices() {
		if c.Of(o) != c.Words[0] {
			t.Errorf("%s: default %q, first word %q", c.Name, c.Of(o), c.Words[0])
		}
	}
	if diff := cmp.Diff([]string{"md", "json", "chunks"}, o.Outputs); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownWordIsFound(t *testing.T) {
	if c, word, found := (job.Options{Strategy: "fixed", HTML: "ful"}).Unknown(); !found || c.Name != "html" || word != "ful" {
		t.Errorf("Unknown = %s %q %v", c.Name, word, found)
	}
	if _, word, found := (job.Options{Strategy: "page"}).Unknown(); found {
		t.Errorf("%q is said to be unknown", word)
	}
}

// TestPublishedWords holds the two published descriptions of options to the table.
func TestPublishedWords(t *testing.T) {
	type property struct {
		Enum  []string
		Items struct{ Enum []string }
	}
	var message struct {
		Defs struct {
			Options struct{ Properties map[string]property }
		} `json:"$defs"`
	}
	var api struct {
		Components struct {
			Schemas struct {
				Options struct{ Properties map[string]property }
			}
		}
	}
	load(t, "../../../docs/schemas/message.schema.json", &message)
	load(t, "../server/api/openapi.json", &api)
	for name, published := range map[string]map[string]property{
		"message.schema.json": message.Defs.Options.Properties, "openapi.json": api.Components.Schemas.Options.Properties,
	} {
		for _, c := range job.Choices() {
			if !slices.Equal(published[c.Name].Enum, c.Words) {
				t.Errorf("%s: %s has %v, the table %v", name, c.Name, published[c.Name].Enum, c.Words)
			}
		}
		if diff := cmp.Diff(job.OutputNames(), published["outputs"].Items.Enum); diff != "" {
			t.Errorf("%s: outputs: %s", name, diff)
		}
	}
}

func load(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(strings.NewReader(string(text))).Decode(v); err != nil {
		t.Fatal(err)
	}
}
