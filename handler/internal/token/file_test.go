package token_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/token"
)

// TestTokenizerFiles compares counts with those of Hugging Face's tokenizers 0.23, which made the small tokenizers in testdata/hf
// and counted the texts beside them.
func TestTokenizerFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/hf/*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d tokenizers in testdata/hf, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			c := counter(t, file)
			for _, want := range vectors(t, strings.TrimSuffix(file, ".json")+".jsonl") {
				if got := c.Count(want.Text); got != want.Count {
					t.Errorf("Count(%q) = %d, want %d", want.Text, got, want.Count)
				}
				s, ok := c.(token.Splitter)
				for at := range want.Text {
					if ok && s.Additive(want.Text, at) {
						if got := c.Count(want.Text[:at]) + c.Count(want.Text[at:]) - c.Count(""); got != want.Count {
							t.Errorf("Count(%q) divided at %d is %d, want %d", want.Text, at, got, want.Count)
						}
					}
				}
			}
		})
	}
}

type vector struct {
	Text  string
	Count int
}

func vectors(t *testing.T, file string) []vector {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []vector
	for d := json.NewDecoder(f); d.More(); {
		var v vector
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	if len(list) < 100 {
		t.Fatalf("%d texts in %s", len(list), file)
	}
	return list
}

// TestRefusals checks that an unknown part is refused by its name.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                             "no model",
		`{"model":{"type":"Magic"}}`:     `model "Magic"`,
		`{"normalizer":{"type":"Wild"}}`: `normalizer "Wild"`,
		`{"pre_tokenizer":{"type":"X"}}`: `pre_tokenizer "X"`,
		`{"model":{"type":"BPE","vocab":{},"merges":["ab"]}}`:                                                     `"ab" is not a pair`,
		`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}}`:                                     "too short",
		`{"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"}}`:                        "pattern",
		`{"model":{"type":"WordPiece","vocab":{"a":0}},"post_processor":{"type":"Odd"},"added_tokens":[]}`:        `post_processor "Odd"`,
		`{"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Odd"},"model":{"type":"Unigram"}}`: `behavior "Odd"`,
	} {
		_, err := token.Read(strings.NewReader(text), "x")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%s) gave %v, want an error with %q", text, err, want)
		}
	}
}
