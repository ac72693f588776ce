package token_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"decant/handler/internal/token"
)

// published are counts that OpenAI's own tiktoken gives (its tests and the cookbook "How to count tokens with tiktoken").
var published = []struct {
	name, text string
	want       int
}{
	{"cl100k_base", "hello world", 2},
	{"cl100k_base", "tiktoken is great!", 6},
	{"cl100k_base", "antidisestablishmentarianism", 6},
	{"cl100k_base", "2 + 2 = 4", 7},
	{"cl100k_base", "お誕生日おめでとう", 9},
	{"cl100k_base", "rer", 1},
	{"cl100k_base", "today\n ", 3},
	{"cl100k_base", "today\n \n", 2},
	{"cl100k_base", "today\n  \n", 2},
	{"o200k_base", "antidisestablishmentarianism", 6},
	{"o200k_base", "2 + 2 = 4", 7},
	{"o200k_base", "お誕生日おめでとう", 8},
	{"o200k_base", "", 0},
}

func TestPublishedCounts(t *testing.T) {
	for _, c := range published {
		if got := counter(t, c.name).Count(c.text); got != c.want {
			t.Errorf("%s: Count(%q) = %d, want %d", c.name, c.text, got, c.want)
		}
	}
}

func counter(t testing.TB, name string) token.Counter {
	t.Helper()
	c, err := token.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var snippets = []string{
	"Hello", " world", "WORLD", "McDonald", "iPhone", " don't", " WE'LL", "'S", "'", "é", "É", "ß", "ǅ", "ʰ", "中文", "日本語テキスト", "ไทย", "हिन्दी", "العربية", "שלום",
	"1", "12345", "٣", "½", "²", "Ⅷ", " ", "  ", "\t", "\n", "\n\n", "\r\n", " \n ", "\u00a0", "\u3000", "\u2028", ".", "...", "!?", "/", "//", "#", "_", "| --- |", "```", "->",
	"👨‍👩‍👧‍👦", "🏳️‍🌈", "e\u0301", "\u0301", "\u200b", "\u200d", "aAaA", "ABCdef", "xYz", "http://example.com/a/b?c=d", "antidisestablishmentarianism", strings.Repeat("ab", 80),
}

// TestAgreesWithTiktoken compares counts on random mixtures of scripts, blanks and punctuation with those of OpenAI's tiktoken 0.14,
// which are in testdata/tiktoken.jsonl.
func TestAgreesWithTiktoken(t *testing.T) {
	f, err := os.Open("testdata/tiktoken.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o200k, cl100k := counter(t, "o200k_base"), counter(t, "cl100k_base")
	lines := 0
	for d := json.NewDecoder(f); d.More(); lines++ {
		var c struct {
			Text   string
			O200k  int `json:"o200k_base"`
			Cl100k int `json:"cl100k_base"`
		}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if got := o200k.Count(c.Text); got != c.O200k {
			t.Errorf("o200k_base: Count(%q) = %d, want %d", c.Text, got, c.O200k)
		}
		if got := cl100k.Count(c.Text); got != c.Cl100k {
			t.Errorf("cl100k_base: Count(%q) = %d, want %d", c.Text, got, c.Cl100k)
		}
	}
	if lines < 200 {
		t.Errorf("%d lines of testdata, want 200 or more", lines)
	}
}

// TestAdditive checks the promise that a text may be counted in pieces.
func TestAdditive(t *testing.T) {
	for _, name := range token.Names() {
		c := counter(t, name).(token.Splitter)
		random := rand.New(rand.NewPCG(5, 6))
		held := 0
		for range 3000 {
			var b strings.Builder
			for range 1 + random.IntN(8) {
				b.WriteString(snippets[random.IntN(len(snippets))])
			}
			text := b.String()
			whole := c.Count(text)
			for at := range text {
				if !c.Additive(text, at) {
					continue
				}
				held++
				if got := c.Count(text[:at]) + c.Count(text[at:]); got != whole {
					t.Fatalf("%s: %q and %q have %d tokens, together %d", name, text[:at], text[at:], got, whole)
				}
			}
		}
		if held < 1000 {
			t.Errorf("%s: only %d places to divide a text", name, held)
		}
	}
}

func TestUnknownName(t *testing.T) {
	if _, err := token.New("gpt-17"); err == nil || !strings.Contains(err.Error(), "o200k_base") {
		t.Errorf("New of an unknown name: %v, want an error that lists the known ones", err)
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("The quarterly report of the northern division shows revenue of 5,120 units, up 3.5 % on the year before. ", 2000)
	b.Run("o200k_base", func(b *testing.B) {
		c := counter(b, "o200k_base")
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			c.Count(text)
		}
	})
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			counter(b, "o200k_base").Count("hello")
		}
	})
	b.Run("word of 5 MB", func(b *testing.B) {
		c := counter(b, "o200k_base")
		long := strings.Repeat("abcdefghij", 500_000)
		b.SetBytes(int64(len(long)))
		for b.Loop() {
			c.Count(long)
		}
	})
}
