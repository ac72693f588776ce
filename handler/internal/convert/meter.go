package convert

import (
	"hash"
	"io"

	"decant/handler/internal/fault"
)

// meter counts and hashes what is written, and refuses what goes over the output limit.
type meter struct {
	w     io.Writer
	left  int64
	bytes int64
	hash  hash.Hash
}

func (m *meter) Write(p []byte) (int, error) {
	if int64(len(p)) > m.left {
		return 0, fault.New(fault.LimitOutput, "", nil)
	}
	n, err := m.w.Write(p)
	m.left -= int64(n)
	m.bytes += int64(n)
	m.hash.Write(p[:n])
	return n, err
}
