package child

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// setLimits is the child's first act: the kernel's limits that hold for its whole life.
// RLIMIT_DATA is the cap; RLIMIT_AS would count reservations, of which Go makes 700 MiB (docs/decisions/memory-limit.md).
func setLimits(memory int64, files uint64) (locks []string) {
	tuneRuntime(memory)
	for _, l := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{lockData, unix.RLIMIT_DATA, uint64(memory)},
		{lockFiles, unix.RLIMIT_NOFILE, files},
		{lockCore, unix.RLIMIT_CORE, 0},
	} {
		if setLimit(l.resource, l.value) == nil {
			locks = append(locks, l.name)
		}
	}
	// If the kernel must choose, it takes the child and not the handler. Raising one's own score needs no rights.
	if os.WriteFile("/proc/self/oom_score_adj", []byte("900"), 0) == nil {
		locks = append(locks, lockOOM)
	}
	return locks
}

// setBudgets sets the limits that depend on the documents.
func setBudgets(b begin) (locks []string) {
	if b.CPU > 0 && setLimit(unix.RLIMIT_CPU, uint64((ownCPU()+b.CPU+time.Second-1)/time.Second)) == nil {
		locks = append(locks, lockCPU)
	}
	if b.Output > 0 && setLimit(unix.RLIMIT_FSIZE, uint64(b.Output)) == nil {
		locks = append(locks, lockFileSize)
	}
	return locks
}

// setLimit sets the soft and the hard limit, or as much of it as the hard limit of the parent allows.
func setLimit(resource int, value uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	value = min(value, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value})
}
