package azfunc

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseTimeSpan reads a .NET time span: [days.]hours:minutes:seconds[.fraction], as host.json has it.
func ParseTimeSpan(text string) (time.Duration, error) {
	wrong := fmt.Errorf("%q is not a time span such as 00:05:00", text)
	parts := strings.Split(text, ":")
	if strings.ContainsAny(text, "+- ") || len(parts) < 2 || len(parts) > 3 {
		return 0, wrong
	}
	days, hours, found := strings.Cut(parts[0], ".")
	if !found {
		days, hours = "0", parts[0]
	}
	var total time.Duration
	for _, part := range []struct {
		text string
		unit time.Duration
		max  int
	}{{days, 24 * time.Hour, 10_000}, {hours, time.Hour, 23}, {parts[1], time.Minute, 59}} {
		n, err := strconv.Atoi(part.text)
		if err != nil || n < 0 || n > part.max {
			return 0, wrong
		}
		total += time.Duration(n) * part.unit
	}
	if len(parts) == 3 {
		seconds, err := strconv.ParseFloat(parts[2], 64)
		if err != nil || seconds < 0 || seconds >= 60 {
			return 0, wrong
		}
		total += time.Duration(seconds * float64(time.Second))
	}
	return total, nil
}
