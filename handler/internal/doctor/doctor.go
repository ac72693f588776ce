package doctor

import (
	"context"
	"fmt"
	"time"
)

// Level is how bad a finding is.
type Level string

// Levels.
const (
	OK      Level = "ok"
	Advice  Level = "advice"  // works, but not as it should
	Failed  Level = "failed"  // does not work
	Skipped Level = "skipped" // could not be tried; Text says why
)

// Finding is what came of one check.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Text  string `json:"text"`         // what was found
	Do    string `json:"do,omitempty"` // what to do about it
}

// Check is one thing to try.
type Check struct {
	Name string
	Run  func(ctx context.Context) Finding
}

// each is how long one check may take.
const each = 45 * time.Second

// Run tries all checks in order. A check that hangs is given up after 45 seconds.
func Run(ctx context.Context, checks []Check) []Finding {
	list := make([]Finding, 0, len(checks))
	for _, c := range checks {
		within, cancel := context.WithTimeout(ctx, each)
		f := c.Run(within)
		cancel()
		f.Check = c.Name
		list = append(list, f)
	}
	return list
}

// Worst is the worst level of a list.
func Worst(list []Finding) Level {
	worst := OK
	for _, f := range list {
		switch {
		case f.Level == Failed:
			return Failed
		case f.Level == Advice:
			worst = Advice
		}
	}
	return worst
}

func fine(format string, args ...any) Finding {
	return Finding{Level: OK, Text: fmt.Sprintf(format, args...)}
}

func failed(do string, format string, args ...any) Finding {
	return Finding{Level: Failed, Text: fmt.Sprintf(format, args...), Do: do}
}
