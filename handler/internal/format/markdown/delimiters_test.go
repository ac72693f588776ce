package markdown_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"decant/handler/internal/format"
	"decant/handler/internal/format/markdown"
	render "decant/handler/internal/markdown"
)

// TestRunsOfDelimiters counts the memory that is asked for: a paragraph twice as long may ask for twice as much, not for four times.
func TestRunsOfDelimiters(t *testing.T) {
	for _, run := range []string{"_a__b", "**a ", "*a _b ", "a**b", "*_`[(", "~~a~ ", "**a** _b_ "} {
		t.Run(run, func(t *testing.T) {
			work(t, strings.Repeat(run, 100)) // what is made once
			once, twice := work(t, strings.Repeat(run, 2000)), work(t, strings.Repeat(run, 4000))
			if twice > 3*once {
				t.Errorf("4000 runs ask for %d bytes, 2000 for %d: more than a straight line", twice, once)
			}
		})
	}
}

// work is how many bytes are asked for while a text is read and written again.
func work(t *testing.T, text string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := &format.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text)), Progress: func(int, int) {}}
	d, err := markdown.Format().Parse(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	render.Render(d, render.Options{})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
