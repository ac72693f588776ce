//go:build !unix

package pdfium

import "github.com/tetratelabs/wazero/experimental"

// grown is a plain slice, for systems without mmap.
type grown struct {
	all   []byte
	limit uint64
}

func allocate(_, limit uint64) experimental.LinearMemory { return &grown{limit: limit} }

// Reallocate grows the slice, or gives nil above the limit.
func (m *grown) Reallocate(size uint64) []byte {
	if size > m.limit {
		return nil
	}
	if size > uint64(len(m.all)) {
		m.all = append(m.all, make([]byte, size-uint64(len(m.all)))...)
	}
	return m.all[:size]
}

// Free lets the slice go.
func (m *grown) Free() { m.all = nil }
