package azfunctest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"decant/handler/internal/azfunc"
)

// schedule says when a timer fires next after a moment; zero means never.
type schedule interface {
	next(after time.Time) time.Time
}

// parseSchedule reads NCRONTAB (six fields: second minute hour day month weekday; five leave the second out) or a time span.
func parseSchedule(text string) (schedule, error) {
	if d, err := azfunc.ParseTimeSpan(text); err == nil && d > 0 {
		return interval(d), nil
	}
	fields := strings.Fields(text)
	if len(fields) == 5 {
		fields = append([]string{"0"}, fields...)
	}
	if len(fields) != 6 {
		return nil, fmt.Errorf("%q is neither an NCRONTAB expression of six fields nor a time span", text)
	}
	bounds := [6][2]int{{0, 59}, {0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}}
	var c cron
	for i, field := range fields {
		set, err := parseField(field, bounds[i][0], bounds[i][1])
		if err != nil {
			return nil, fmt.Errorf("schedule %q: %w", text, err)
		}
		c[i] = set
	}
	return c, nil
}

type interval time.Duration

func (i interval) next(after time.Time) time.Time { return after.Add(time.Duration(i)) }

// cron has a bit for each allowed value of second, minute, hour, day, month, weekday. All six must fit.
type cron [6]uint64

func parseField(text string, low, high int) (uint64, error) {
	var set uint64
	for part := range strings.SplitSeq(text, ",") {
		span, stepText, hasStep := strings.Cut(part, "/")
		step := 1
		if hasStep {
			n, err := strconv.Atoi(stepText)
			if err != nil || n < 1 {
				return 0, fmt.Errorf("step %q", stepText)
			}
			step = n
		}
		from, to := low, high
		if span != "*" {
			first, last, isRange := strings.Cut(span, "-")
			var err error
			if from, err = strconv.Atoi(first); err != nil {
				return 0, fmt.Errorf("%w: %q", ErrUnsupported, part)
			}
			if to = from; isRange {
				if to, err = strconv.Atoi(last); err != nil {
					return 0, fmt.Errorf("%w: %q", ErrUnsupported, part)
				}
			} else if hasStep {
				to = high
			}
		}
		if from < low || to > high || from > to {
			return 0, fmt.Errorf("%q is not within %d to %d", part, low, high)
		}
		for n := from; n <= to; n += step {
			set |= 1 << n
		}
	}
	return set, nil
}

// next looks at most five years ahead, skipping what cannot fit.
func (c cron) next(after time.Time) time.Time {
	t := after.Truncate(time.Second).Add(time.Second)
	has := func(i, n int) bool { return c[i]&(1<<n) != 0 }
	for limit := after.AddDate(5, 0, 0); t.Before(limit); {
		switch {
		case !has(4, int(t.Month())) || !has(3, t.Day()) || !has(5, int(t.Weekday())):
			t = time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, t.Location())
		case !has(2, t.Hour()):
			t = t.Truncate(time.Hour).Add(time.Hour)
		case !has(1, t.Minute()):
			t = t.Truncate(time.Minute).Add(time.Minute)
		case !has(0, t.Second()):
			t = t.Add(time.Second)
		default:
			return t
		}
	}
	return time.Time{}
}
