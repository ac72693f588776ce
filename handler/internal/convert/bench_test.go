package convert_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/convert"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

// BenchmarkLarge converts a text of 50 MB and a single "word" of 5 MB: the time must grow with the size, not with its square.
func BenchmarkLarge(b *testing.B) {
	sentence := "The northern division sold 5120 units and that is 3.5 % more than a year before. "
	for _, c := range []struct{ name, text string }{
		{"text of 50 MB", strings.Repeat(strings.Repeat(sentence, 5)+"\n\n", 50<<20/(5*len(sentence)+2))},
		{"text of 5 MB", strings.Repeat(strings.Repeat(sentence, 5)+"\n\n", 5<<20/(5*len(sentence)+2))},
		{"word of 5 MB", strings.Repeat("qzxjkvbwpy", 5<<20/10)},
		{"word of 500 kB", strings.Repeat("qzxjkvbwpy", 500<<10/10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			input := filepath.Join(b.TempDir(), "large.txt")
			if err := os.WriteFile(input, []byte(c.text), 0o600); err != nil {
				b.Fatal(err)
			}
			converter := convert.New(all.Formats(all.Options{}), "test")
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				source := job.Source{Path: "large.txt", Size: -1}
				if _, err := converter.Convert(context.Background(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: b.TempDir()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
