package event

import (
	"encoding/json"
	"fmt"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Limits are job.Limits as messages and requests give them: sizes in bytes, times as "90s" or "10m". Absent means the default.
type Limits struct {
	Memory     int64    `json:"memory,omitempty"`
	Timeout    Duration `json:"timeout,omitzero"`
	NoProgress Duration `json:"noProgress,omitzero"`
	Input      int64    `json:"input,omitempty"`
	Output     int64    `json:"output,omitempty"`
	Disk       int64    `json:"disk,omitempty"`
	Pages      int      `json:"pages,omitempty"`
	Depth      int      `json:"depth,omitempty"`
	Members    int      `json:"members,omitempty"`
}

// Check refuses limits below zero, as a fault of kind fault.BadRequest. A time below zero is not read at all.
func (l Limits) Check() error {
	for name, n := range map[string]int64{
		"memory": l.Memory, "input": l.Input, "output": l.Output, "disk": l.Disk,
		"pages": int64(l.Pages), "depth": int64(l.Depth), "members": int64(l.Members),
	} {
		if n < 0 {
			return fault.Newf(fault.BadRequest, "limits.%s: it must not be negative.", name)
		}
	}
	return nil
}

// Job gives the limits as the other packages have them.
func (l Limits) Job() job.Limits {
	return job.Limits{
		Memory: l.Memory, Timeout: time.Duration(l.Timeout), NoProgress: time.Duration(l.NoProgress),
		Input: l.Input, Output: l.Output, Disk: l.Disk, Pages: l.Pages, Depth: l.Depth, Members: l.Members,
	}
}

// LimitsOf is the opposite of Limits.Job.
func LimitsOf(l job.Limits) Limits {
	return Limits{
		Memory: l.Memory, Timeout: Duration(l.Timeout), NoProgress: Duration(l.NoProgress),
		Input: l.Input, Output: l.Output, Disk: l.Disk, Pages: l.Pages, Depth: l.Depth, Members: l.Members,
	}
}

// Duration is a time.Duration that is text in JSON.
type Duration time.Duration

// MarshalJSON writes "1m30s".
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON reads "1m30s".
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("a time such as \"10m\" is expected")
	}
	value, err := time.ParseDuration(text)
	if err != nil || value < 0 {
		return fmt.Errorf("%.20q is not a time such as \"10m\"", text)
	}
	*d = Duration(value)
	return nil
}
