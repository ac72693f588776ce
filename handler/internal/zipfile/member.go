package zipfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"

	"decant/handler/internal/fault"
)

// Member reads one member of an archive. It must be closed.
type Member struct {
	archive *Archive
	body    io.ReadCloser
	packed  int64 // bytes in the archive
	read    int64 // bytes unpacked so far
	damaged bool
}

// Open opens a member. The error is fs.ErrNotExist when there is none, fault.Encrypted or fault.Corrupt when it cannot be read.
func (a *Archive) Open(name string) (*Member, error) {
	found, ok := a.Find(name)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f := a.members[found]
	if f.encrypted {
		return nil, fault.Newf(fault.Encrypted, "The part %s of the file is protected by a password. Remove the protection first.", found)
	}
	body, err := f.open()
	if err != nil {
		return nil, fault.New(fault.Corrupt, "A part of the file is damaged: "+found+".", err)
	}
	return &Member{archive: a, body: body, packed: f.packed}, nil
}

// Read unpacks on. Damaged data ends the member early, as io.EOF, and sets Damaged;
// an exhausted budget or a bomb's ratio is a fault.
func (m *Member) Read(p []byte) (int, error) {
	n, err := m.body.Read(p)
	m.read += int64(n)
	m.archive.left -= int64(n)
	switch {
	case m.archive.left < 0:
		return 0, fault.Newf(fault.LimitOutput, "The parts of the file unpack to more bytes together than the limit.")
	case m.read > ratioFrom && m.read/maxRatio > m.packed:
		return 0, fault.New(fault.LimitRatio, "", nil)
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	}
	m.damaged = true
	return n, io.EOF
}

// Close ends the reading.
func (m *Member) Close() error { return m.body.Close() }

// Damaged tells whether the data ended early or did not match their checksum.
func (m *Member) Damaged() bool { return m.damaged }

// ReadAll gives a whole member, at most limit bytes; 0 means 256 MiB. A larger one is fault.TooLarge.
func (a *Archive) ReadAll(name string, limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = maxWhole
	}
	m, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	var b bytes.Buffer
	if size := a.Size(name); size > 0 && size < min(limit, 1<<20) {
		b.Grow(int(size) + bytes.MinRead)
	}
	n, err := io.Copy(&b, io.LimitReader(m, limit+1))
	switch {
	case err != nil:
		return nil, err
	case n > limit:
		return nil, fault.Newf(fault.TooLarge, "The part %s of the file is larger than %d bytes.", name, limit)
	case n == 0 && m.Damaged():
		return nil, fault.New(fault.Corrupt, "A part of the file is damaged: "+name+".", zip.ErrFormat)
	}
	return b.Bytes(), nil
}
