package convert

import (
	"hash"
	"io"
	"sync/atomic"

	"decant/handler/internal/fault"
)

// meter counts and hashes what is written to one file, and refuses what goes over the output limit of all files together.
type meter struct {
	w     io.Writer
	used  *atomic.Int64 // bytes of all results so far
	limit int64
	bytes int64
	hash  hash.Hash
}

func (m *meter) Write(p []byte) (int, error) {
	if m.used.Add(int64(len(p))) > m.limit {
		return 0, fault.New(fault.LimitOutput, "", nil)
	}
	n, err := m.w.Write(p)
	m.bytes += int64(n)
	m.hash.Write(p[:n])
	return n, err
}
