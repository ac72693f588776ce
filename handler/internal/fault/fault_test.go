package fault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"decant/handler/internal/fault"
)

func TestEveryRowTellsAPersonWhatToDo(t *testing.T) {
	seen := map[fault.Kind]bool{}
	for _, row := range fault.Rows() {
		if seen[row.Kind] {
			t.Errorf("%s is in the table twice", row.Kind)
		}
		seen[row.Kind] = true
		if !strings.HasSuffix(row.Words, ".") || len(row.Words) < 20 {
			t.Errorf("%s: words %q are not a sentence", row.Kind, row.Words)
		}
		if row.Status < 200 || row.Status > 599 {
			t.Errorf("%s: status %d", row.Kind, row.Status)
		}
		if row.Escalates && row.Retryable {
			t.Errorf("%s: a fault that a retry mends need not run alone", row.Kind)
		}
	}
}

func TestFromKeepsTheKindThroughWrapping(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want fault.Kind
	}{
		{"nil has no kind", nil, ""},
		{"wrapped fault", fmt.Errorf("stage: %w", fault.New(fault.Corrupt, "", nil)), fault.Corrupt},
		{"deadline", fmt.Errorf("read: %w", context.DeadlineExceeded), fault.Timeout},
		{"cancelled context", context.Canceled, fault.Interrupted},
		{"anything else", errors.New("odd"), fault.Internal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fault.KindOf(tt.err); got != tt.want {
				t.Errorf("KindOf(%v) = %q, want %q", tt.err, got, tt.want)
			}
		})
	}
}

func TestIsComparesKindsOnly(t *testing.T) {
	err := fmt.Errorf("stage: %w", fault.New(fault.Memory, "too much", errors.New("cause")))
	if !errors.Is(err, fault.New(fault.Memory, "", nil)) {
		t.Error("errors.Is does not find the kind")
	}
	if errors.Is(err, fault.New(fault.Crash, "", nil)) {
		t.Error("errors.Is finds another kind")
	}
}

func TestUnknownKindIsInternal(t *testing.T) {
	if got := fault.Lookup("no_such_kind").Kind; got != fault.Internal {
		t.Errorf("Lookup of an unknown kind = %s", got)
	}
}
