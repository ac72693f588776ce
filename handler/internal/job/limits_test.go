package job_test

import (
	"testing"

	"decant/handler/internal/job"
)

// TestLimitsFor holds that the results of a large document may be large without a setting, and that a setting counts whatever the size.
func TestLimitsFor(t *testing.T) {
	for _, tt := range []struct {
		name       string
		set, size  int64
		wantOutput int64
	}{
		{"a small document", 0, 1000, job.GiB},
		{"a size that is not known", 0, -1, job.GiB},
		{"a large document", 0, job.GiB, 32 * job.GiB},
		{"a large document with a setting", 5 * job.MiB, job.GiB, 5 * job.MiB},
		{"a small document with a setting", 5 * job.GiB, 1, 5 * job.GiB},
	} {
		got := job.Limits{Output: tt.set}.For(tt.size)
		if got.Output != tt.wantOutput || got.Input != (job.Limits{}).Normalize().Input {
			t.Errorf("%s: %+v, want output %d", tt.name, got, tt.wantOutput)
		}
	}
}
