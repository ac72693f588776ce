//go:build unix

package convert

import (
	"runtime"
	"syscall"
	"time"

	"decant/handler/internal/job"
)

// conversion says how this document is being converted and what it cost so far.
func (r *run) conversion(result *job.Result) jsonConversion {
	return jsonConversion{
		Version: result.Version, Fingerprint: result.Fingerprint, Options: r.options,
		Seconds: time.Since(r.started).Seconds(), PeakMemory: peakMemory(),
	}
}

// peakMemory is the largest resident set of this process so far, in bytes (getrusage(2): KiB on Linux, bytes on macOS).
func peakMemory() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss * job.KiB
}
