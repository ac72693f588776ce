package app

import (
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
