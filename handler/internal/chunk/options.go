package chunk

import (
	"fmt"

	"decant/handler/internal/token"
)

// Options say how to cut. Zero values mean the defaults.
type Options struct {
	DocumentID  string
	Counter     token.Counter // default o200k_base
	MaxTokens   int           // hard limit of a chunk's final text; default 512, at least MinLimit
	MinTokens   int           // neighbours below it are joined when they fit; default MaxTokens/4
	Overlap     int           // tokens of the chunk before that are repeated, whole sentences; default 0
	Strategy    string        // hybrid (default), hierarchical, page, section, fixed
	TableFormat string        // markdown (default), html, rows
	NoMerge     bool          // small neighbours stay apart
	Contents    bool          // tables of contents are cut as well
}

// MinLimit is the smallest MaxTokens: below it a single character may not fit.
const MinLimit = 8

const defaultMaxTokens = 512

func (o Options) normalize() (Options, error) {
	if o.Counter == nil {
		counter, err := token.New("")
		if err != nil {
			return o, err
		}
		o.Counter = counter
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = defaultMaxTokens
	}
	if o.MaxTokens < MinLimit {
		return o, fmt.Errorf("max tokens %d: must be %d or more", o.MaxTokens, MinLimit)
	}
	if o.MinTokens == 0 {
		o.MinTokens = o.MaxTokens / 4
	}
	if o.Overlap < 0 || o.Overlap > o.MaxTokens/2 {
		return o, fmt.Errorf("overlap %d: must be from 0 to half of max tokens (%d)", o.Overlap, o.MaxTokens/2)
	}
	if err := oneOf("strategy", &o.Strategy, "hybrid", "hierarchical", "page", "section", "fixed"); err != nil {
		return o, err
	}
	return o, oneOf("table format", &o.TableFormat, "markdown", "html", "rows")
}

// oneOf checks a choice; the first one is the default.
func oneOf(what string, value *string, choices ...string) error {
	if *value == "" {
		*value = choices[0]
	}
	for _, c := range choices {
		if *value == c {
			return nil
		}
	}
	return fmt.Errorf("%s %q: choose one of %v", what, *value, choices)
}
