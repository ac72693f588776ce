package event

import (
	"slices"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// choices are the words that an option may have; empty is the default.
var choices = map[string]struct {
	of    func(job.Options) string
	words []string
}{
	"strategy":    {func(o job.Options) string { return o.Strategy }, []string{"hybrid", "hierarchical", "page", "section", "fixed"}},
	"tableFormat": {func(o job.Options) string { return o.TableFormat }, []string{"markdown", "html", "rows"}},
	"hidden":      {func(o job.Options) string { return o.Hidden }, []string{"exclude", "include"}},
	"revisions":   {func(o job.Options) string { return o.Revisions }, []string{"accepted", "original", "marked"}},
	"furniture":   {func(o job.Options) string { return o.Furniture }, []string{"drop", "keep"}},
	"comments":    {func(o job.Options) string { return o.Comments }, []string{"exclude", "include"}},
	"html":        {func(o job.Options) string { return o.HTML }, []string{"full", "main"}},
	"images":      {func(o job.Options) string { return o.Images }, []string{"files", "none"}},
	"attachments": {func(o job.Options) string { return o.Attachments }, []string{"convert", "list"}},
}

// tokenizers are those that come with decant. A tokenizer may also be a file, but neither a message nor a request may choose
// files of this machine: only those in Decoder.Tokenizers.
var tokenizers = []string{"o200k_base", "cl100k_base", "characters", "words"}

var outputs = []string{"md", "json", "chunks"}

// CheckOptions refuses, as a fault of kind fault.BadRequest, values that no option has: a typo must not silently give another
// result.
func (d *Decoder) CheckOptions(o job.Options) error {
	for name, choice := range choices {
		if value := choice.of(o); value != "" && !slices.Contains(choice.words, value) {
			return fault.Newf(fault.BadRequest, "%s=%.40s: must be one of %s.", name, value, strings.Join(choice.words, ", "))
		}
	}
	if o.Tokenizer != "" && !slices.Contains(tokenizers, o.Tokenizer) && !slices.Contains(d.Tokenizers, o.Tokenizer) {
		return fault.Newf(fault.BadRequest, "tokenizer=%.40s: must be one of %s.", o.Tokenizer, strings.Join(tokenizers, ", "))
	}
	for _, output := range o.Outputs {
		if !slices.Contains(outputs, output) {
			return fault.Newf(fault.BadRequest, "outputs=%.40s: must be of %s.", output, strings.Join(outputs, ", "))
		}
	}
	if o.MaxTokens < 0 || o.MinTokens < 0 || o.Overlap < 0 || (o.Overlap > 0 && o.Overlap >= o.Normalize().MaxTokens) {
		return fault.Newf(fault.BadRequest, "maxTokens, minTokens and overlap must not be negative, and overlap must be less than maxTokens.")
	}
	return nil
}
