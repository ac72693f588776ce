package doc_test

import (
	"strconv"
	"testing"

	"decant/handler/internal/doc"
)

// TestWarnIsBounded: a forged document with a million different faults must not make a report of a million lines, nor take quadratic time.
func TestWarnIsBounded(t *testing.T) {
	var d doc.Document
	for i := range 100_000 {
		d.Warn("missing_part", "part "+strconv.Itoa(i))
	}
	d.Warn("repaired", "once")
	d.Warn("repaired", "once")
	counted := 0
	for _, w := range d.Warnings {
		if w.Class == "missing_part" {
			counted += max(1, w.Count)
		}
	}
	if counted != 100_000 || len(d.Warnings) != 102 {
		t.Errorf("%d counted in %d entries, want 100000 in 102", counted, len(d.Warnings))
	}
	if last := d.Warnings[101]; last.Message != "once" || last.Count != 2 {
		t.Errorf("other class: %+v", last)
	}
}
