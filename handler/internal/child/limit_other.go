//go:build !linux

package child

// setLimits can only tune the Go runtime here: RLIMIT_DATA does not bound memory that is mapped on Darwin.
func setLimits(memory int64, _ uint64) []string {
	tuneRuntime(memory)
	return nil
}

func setBudgets(begin) []string { return nil }
