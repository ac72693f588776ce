package ledger

import (
	"strings"

	"decant/handler/internal/job"
)

// Order is how an event's version of a file stands to the one in the record.
type Order int

// The orders.
const (
	Unknown Order = iota // cannot be told from the two: look at the file itself
	Same
	Newer
	Older
)

// Compare tells how the version in event stands to the version in known, for the same file.
// Sequencers decide where both have one (Event Grid, blob events: compare as strings padded to equal length).
func Compare(event, known job.Source) Order {
	if event.ETag == known.ETag && event.ETag != "" {
		return Same
	}
	if event.Sequencer != "" && known.Sequencer != "" {
		return compareSequencers(event.Sequencer, known.Sequencer)
	}
	if event.ETag == "" && known.ETag == "" {
		return Same
	}
	return Unknown
}

func compareSequencers(event, known string) Order {
	width := max(len(event), len(known))
	pad := func(s string) string { return strings.Repeat("0", width-len(s)) + strings.ToLower(s) }
	switch strings.Compare(pad(event), pad(known)) {
	case 1:
		return Newer
	case -1:
		return Older
	}
	return Same
}
