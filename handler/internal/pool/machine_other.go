//go:build !linux

package pool

import "runtime"

// Detect knows the cores only; the memory budget must be configured, else 4 GiB are assumed.
func Detect() Machine {
	return Machine{Cores: runtime.GOMAXPROCS(0), Memory: 4 << 30, Source: "assumed"}
}

// pressure cannot be seen here.
func (Machine) pressure() bool { return false }
