package event

import (
	"slices"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// tokenizers are those that come with decant. A tokenizer may also be a file, but neither a message nor a request may choose
// files of this machine: only those in Decoder.Tokenizers.
var tokenizers = []string{"o200k_base", "cl100k_base", "characters", "words"}

// CheckOptions refuses, as a fault of kind fault.BadRequest, values that no option has: a typo must not silently give another
// result.
func (d *Decoder) CheckOptions(o job.Options) error {
	if choice, word, found := o.Unknown(); found {
		return fault.Newf(fault.BadRequest, "%s=%.40s: must be one of %s.", choice.Name, word, strings.Join(choice.Words, ", "))
	}
	if o.Tokenizer != "" && !slices.Contains(tokenizers, o.Tokenizer) && !slices.Contains(d.Tokenizers, o.Tokenizer) {
		return fault.Newf(fault.BadRequest, "tokenizer=%.40s: must be one of %s.", o.Tokenizer, strings.Join(tokenizers, ", "))
	}
	outputs := job.OutputNames()
	for _, output := range o.Outputs {
		if !slices.Contains(outputs, output) {
			return fault.Newf(fault.BadRequest, "outputs=%.40s: must be of %s.", output, strings.Join(outputs, ", "))
		}
	}
	if o.MaxTokens > 0 && o.MaxTokens < job.LeastTokens {
		return fault.Newf(fault.BadRequest, "maxTokens=%d: must be %d or more.", o.MaxTokens, job.LeastTokens)
	}
	if o.MaxTokens < 0 || o.MinTokens < 0 || o.Overlap < 0 || (o.Overlap > 0 && o.Overlap >= o.Normalize().MaxTokens) {
		return fault.Newf(fault.BadRequest, "maxTokens, minTokens and overlap must not be negative, and overlap must be less than maxTokens.")
	}
	return nil
}
