package azfunc

import (
	"encoding/json"
	"fmt"
	"time"
)

// Timer is what a timerTrigger got.
type Timer struct {
	IsPastDue   bool      // it runs later than it should have
	Last        time.Time // zero when unknown: monitoring is off, or it is the first run
	Next        time.Time
	LastUpdated time.Time
}

// Timer reads a timer-triggered invocation. Its value is a real object, not encoded twice; ScheduleStatus may be null
// (host: CoreExtensionsScriptBindingProvider.cs). A string with the object inside is read as well.
func (i *Invocation) Timer(binding string) (Timer, error) {
	value, ok := i.Value(binding)
	if !ok {
		return Timer{}, fmt.Errorf("%w: function %q has no binding %q", ErrEnvelope, i.Function, binding)
	}
	var info struct {
		IsPastDue      bool
		ScheduleStatus struct{ Last, Next, LastUpdated Value }
	}
	if err := json.Unmarshal(value.JSON(), &info); err != nil {
		return Timer{}, fmt.Errorf("%w: timer: %w", ErrEnvelope, err)
	}
	t := Timer{IsPastDue: info.IsPastDue}
	t.Last, _ = info.ScheduleStatus.Last.Time()
	t.Next, _ = info.ScheduleStatus.Next.Time()
	t.LastUpdated, _ = info.ScheduleStatus.LastUpdated.Time()
	return t, nil
}
