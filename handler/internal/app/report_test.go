package app

import (
	"errors"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

func TestRowSaysWhoHasTheDocument(t *testing.T) {
	tests := []struct {
		name   string
		state  ledger.State
		status string
		says   string
	}{
		{"done before", ledger.Succeeded, "unchanged", ""},
		{"nothing to read", ledger.Empty, "empty", ""},
		{"in work elsewhere, which no event explains", ledger.Running, "failed", "Another decant"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := rowOf("a.md", ledger.Record{State: tt.state}, fault.New(fault.Duplicate, "", nil))
			if got.Status != tt.status || !strings.HasPrefix(got.Message, tt.says) || strings.Contains(got.Message, "event") {
				t.Errorf("status %q, message %q", got.Status, got.Message)
			}
		})
	}
}

// TestRowOfWhatWasNotTriedAgain: the report of a run speaks of that run. What failed before and has not changed is not tried again.
func TestRowOfWhatWasNotTriedAgain(t *testing.T) {
	attempts := []ledger.Attempt{{Seconds: 1.5, PeakMemory: 1 << 20}}
	tests := []struct {
		name   string
		record ledger.Record
		err    error
		again  bool // the attempt is of this run
	}{
		{"damaged", ledger.Record{State: ledger.Failed, Cause: &ledger.Cause{Kind: fault.Corrupt, Message: "It is damaged."}}, fault.New(fault.Duplicate, "", nil), false},
		{"with a password", ledger.Record{State: ledger.Failed, Cause: &ledger.Cause{Kind: fault.Encrypted, Message: "It is protected."}}, fault.New(fault.Duplicate, "", nil), false},
		{"damaged, in this run", ledger.Record{State: ledger.Failed}, fault.New(fault.Corrupt, "It is damaged.", errors.New("x")), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.record.Attempts = attempts
			got := rowOf("a.pdf", tt.record, tt.err)
			if says := strings.Contains(got.Message, "--again"); got.Status != "failed" || says == tt.again {
				t.Errorf("status %q, message %q", got.Status, got.Message)
			}
			if spent := got.Seconds != 0 && got.PeakMemory != 0; spent != tt.again || (got.Seconds != 0) != (got.PeakMemory != 0) {
				t.Errorf("%v s, %d bytes of memory", got.Seconds, got.PeakMemory)
			}
		})
	}
	if empty := rowOf("a.txt", ledger.Record{State: ledger.Empty, Attempts: attempts}, fault.New(fault.Duplicate, "", nil)); empty.Seconds != 0 || empty.PeakMemory != 0 {
		t.Errorf("an empty document that was not read again took %v s, %d bytes", empty.Seconds, empty.PeakMemory)
	}
}
