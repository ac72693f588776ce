package zipfile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
)

// A file that was cut off has lost the directory at its end, but each member stands behind a header of its own
// (APPNOTE 4.3.7). rescue reads those, as far as they go.

const (
	localHeader   = "PK\x03\x04"
	localSize     = 30 // bytes of a local header before its name
	rescueMembers = 10_000
)

// rescued is a member found by its own header.
type rescued struct {
	name   string
	method uint16
	start  int64 // of its data
	packed int64 // bytes of its data that are there at most
	flags  uint16
}

// rescue lists the members of an archive without a directory, in their order.
func rescue(r io.ReaderAt, size int64) []rescued {
	var members []rescued
	head := make([]byte, localSize)
	for at := int64(0); at+localSize <= size && len(members) < rescueMembers; {
		if _, err := r.ReadAt(head, at); err != nil || string(head[:4]) != localHeader {
			break
		}
		nameSize := int64(binary.LittleEndian.Uint16(head[26:]))
		m := rescued{
			flags: binary.LittleEndian.Uint16(head[6:]), method: binary.LittleEndian.Uint16(head[8:]),
			start: at + localSize + nameSize + int64(binary.LittleEndian.Uint16(head[28:])),
		}
		name := make([]byte, nameSize)
		if _, err := r.ReadAt(name, at+localSize); err != nil || m.start >= size {
			break
		}
		m.name = string(name)
		m.packed = int64(binary.LittleEndian.Uint32(head[18:]))
		if m.packed == 0 || m.packed == 0xFFFFFFFF || m.flags&8 != 0 { // the size stands behind the data
			m.packed = nextHeader(r, m.start, size) - m.start
		}
		members = append(members, m)
		if at = m.start + m.packed; !isHeader(r, at) {
			at = nextHeader(r, at, size)
		}
	}
	return members
}

func isHeader(r io.ReaderAt, at int64) bool {
	mark := make([]byte, 4)
	_, err := r.ReadAt(mark, at)
	return err == nil && string(mark) == localHeader
}

// nextHeader is where the next local header stands at or after at, or the end of the file.
func nextHeader(r io.ReaderAt, at, size int64) int64 {
	const step = 64 << 10
	buf := make([]byte, step+3)
	for ; at < size; at += step {
		n, _ := r.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if i := bytes.Index(buf[:n], []byte(localHeader)); i >= 0 {
			return at + int64(i)
		}
	}
	return size
}

// open reads a rescued member; its data may end early.
func (m *rescued) open(r io.ReaderAt, size int64) (io.ReadCloser, error) {
	data := io.NewSectionReader(r, m.start, min(m.packed, size-m.start))
	switch m.method {
	case zip.Store:
		return io.NopCloser(data), nil
	case zip.Deflate:
		return flate.NewReader(data), nil
	}
	return nil, zip.ErrAlgorithm
}
