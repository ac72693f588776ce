package outside

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// limited names the converter and the limit in a fault that says that a limit was reached, and where that limit is set: with the
// converter, or for all conversions. Other faults stay as they are, and so does what the converter said itself. l are the limits that
// it had.
func (s *station) limited(f *fault.Error, l job.Limits) *fault.Error {
	words, advice := s.limitWords(f.Kind, l)
	if words == "" || f.Message != fault.Lookup(f.Kind).Words {
		return f
	}
	return fault.New(f.Kind, fmt.Sprintf("The outside converter %s %s. %s.", s.Name, words, advice), f.Err)
}

func (s *station) limitWords(kind fault.Kind, l job.Limits) (words, advice string) {
	own := s.Limits
	switch kind {
	case fault.Timeout:
		return fmt.Sprintf("took longer than its time limit of %s and was stopped", l.Timeout.Round(time.Millisecond)),
			"Split the document, or raise the limit (" + setting(own.Timeout != 0, "timeout", "--timeout, DECANT_TIMEOUT") + ")"
	case fault.NoProgress:
		return fmt.Sprintf("gave no sign of life for %s and was stopped", l.NoProgress),
			"Save the document again in the program that made it, or raise the limit (" + setting(own.NoProgress != 0, "noProgress", "DECANT_NO_PROGRESS") + ")"
	case fault.Memory:
		return fmt.Sprintf("needed more memory than its limit of %s", size(l.Memory)),
			"Split the document, or raise the limit (" + setting(own.Memory != 0, "memory", "--memory, DECANT_MEMORY") + ")"
	case fault.LimitOutput:
		return fmt.Sprintf("wrote a result of more than its limit of %s, or endless messages, and was stopped", size(l.Output)),
			"Look at its settings (docs/outside-converters.md), or raise DECANT_MAX_OUTPUT and DECANT_MAX_DISK"
	case fault.LimitDisk:
		return fmt.Sprintf("used more disk than its limit of %s and was stopped", size(l.Disk)),
			"Split the document, or raise DECANT_MAX_DISK"
	}
	return "", ""
}

// setting is where a limit is set: with the converter where it has one of its own, else where it is set for all conversions.
func setting(own bool, name, general string) string {
	if own {
		return "limits." + name + " of the converter"
	}
	return general
}

func size(n int64) string { return humanize.IBytes(uint64(max(n, 0))) }
