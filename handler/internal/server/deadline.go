package server

import "time"

// DeadlineFor gives the Options.Deadline and Options.Settle that fit the host's functionTimeout: together they end a good while
// before it, because at that moment the host kills the process and every document in it. Zero, which stands for a host
// without a limit, gives zeros: the defaults.
func DeadlineFor(functionTimeout time.Duration) (deadline, settle time.Duration) {
	if functionTimeout <= 0 {
		return 0, 0
	}
	margin := min(functionTimeout/10, time.Minute) // for the answer's way, and clocks that started at different moments
	settle = min(functionTimeout/10, 20*time.Second)
	return functionTimeout - margin - settle, settle
}
