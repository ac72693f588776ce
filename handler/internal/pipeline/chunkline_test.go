package pipeline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseChunk holds that the stamps of a line do not depend on how it is written: they are the hashes of what encoding/json reads
// and writes, which earlier versions stored.
func TestParseChunk(t *testing.T) {
	for name, line := range map[string]string{
		"our own":                  `{"id":"d1-c1","documentId":"d1","index":3,"text":"a | b\nc \"d\"","headings":["A & B","<x>"],"range":{"start":1,"end":2},"boxes":[[1,{"a":[]}],2.50],"hash":"ff"}`,
		"blanks between the marks": `{ "id" : "d1-c1", "text" :"x", "range":{"start": 1, "end":[ 1 , 2 ]},"index":3 }`,
		"escapes in a name":        `{"\u0069d":"d1-c1","text":"x","a\"b":1}`,
		"a name twice":             `{"id":"d1-c0","id":"d1-c1","text":"y","text":"x"}`,
		"marks inside texts":       `{"id":"d1-c1","text":"x,\"y\":{[","a":"}],\\","b":["]","}"],"c":null,"d":true}`,
		"characters beyond ASCII":  `{"id":"d1-c1","text":"é\u2028","ä":"\u2029 ü < > &"}`,
		"without a text":           `{"id":"d1-c1","index":0}`,
		"names that need escaping": `{"id":"d1-c1","a<b":1,"text":""}`,
	} {
		fields := map[string]json.RawMessage{}
		var head struct{ Text string }
		if json.Unmarshal([]byte(line), &fields) != nil || json.Unmarshal([]byte(line), &head) != nil {
			t.Fatal(name)
		}
		delete(fields, "text")
		rest, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseChunk([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff([]string{"d1-c1", shortHash([]byte(head.Text)), shortHash(rest), line}, []string{got.ID, got.Stamp.Text, got.Stamp.Place, string(got.Body)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, line := range []string{``, `{}`, `{"id":""}`, `{"id":"a"`, `{"id":"a",}`, `[]`, `{"id":1}`, `{"id":"a"}}`, `{"id":"a","index":"x"}`, `{"id"}`, `null`} {
		if c, err := parseChunk([]byte(line)); err == nil {
			t.Errorf("%s was read as %+v", line, c)
		}
	}
}

func BenchmarkParseChunk(b *testing.B) {
	line, err := json.Marshal(map[string]any{
		"id": "d1-c1", "documentId": "d1", "index": 3, "text": strings.Repeat("| 100001 | 2024-01-17 | São Paulo | \"x\" |\n", 30),
		"range": map[string]int{"start": 1, "end": 2}, "blocks": strings.Split(strings.Repeat("b12345678 ", 120), " "), "tokenizer": "o200k_base",
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := parseChunk(line); err != nil {
			b.Fatal(err)
		}
	}
}
