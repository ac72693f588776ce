//go:build unix

package pdfium

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// mapped gives the module's memory as one reservation that is opened page by page. wazero's default grows a Go slice
// (copies and garbage: 1 GB resident for a 256 MB module). The reservation has no access rights, so it does not count
// towards RLIMIT_DATA until it is opened; where the limit refuses that, the module sees a clean "out of memory".
type mapped struct{ all []byte }

func allocate(_, limit uint64) experimental.LinearMemory {
	all, err := syscall.Mmap(-1, 0, int(limit), syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return &mapped{}
	}
	return &mapped{all: all}
}

// Reallocate opens the reservation up to size, or gives nil when the system refuses.
func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		return nil
	}
	if err := syscall.Mprotect(m.all[:size], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		return nil
	}
	return m.all[:size:size]
}

// Free gives the reservation back.
func (m *mapped) Free() {
	if m.all != nil {
		_ = syscall.Munmap(m.all)
		m.all = nil
	}
}
