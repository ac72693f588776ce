package cfb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// Magic is how a compound file begins.
const Magic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Special sector numbers (MS-CFB 2.1).
const (
	maxRegular = 0xFFFFFFFA
	noStream   = 0xFFFFFFFF
)

// maxEntries bounds the directory: honest files have some thousand.
const maxEntries = 500_000

// ErrDamaged is the error of a file whose structure cannot be followed.
var ErrDamaged = errors.New("compound file is damaged")

// File is an open compound file.
type File struct {
	r          io.ReaderAt
	size       int64
	sector     int64 // bytes of a sector
	fat        []uint32
	miniFAT    []uint32
	miniStream []byte
	miniCutoff int64
	entries    []entry
}

// entry is one directory entry (MS-CFB 2.6.1).
type entry struct {
	name               string
	kind               byte // 1 storage, 2 stream, 5 root
	left, right, child uint32
	start              uint32
	size               int64
}

// Open reads the header, the allocation tables and the directory.
func Open(r io.ReaderAt, size int64) (*File, error) {
	header := make([]byte, 512)
	if _, err := r.ReadAt(header, 0); err != nil {
		return nil, fmt.Errorf("read header: %w", ErrDamaged)
	}
	if string(header[:8]) != Magic {
		return nil, fmt.Errorf("no magic number: %w", ErrDamaged)
	}
	shift := binary.LittleEndian.Uint16(header[30:])
	if shift != 9 && shift != 12 {
		return nil, fmt.Errorf("sector shift %d: %w", shift, ErrDamaged)
	}
	f := &File{r: r, size: size, sector: 1 << shift, miniCutoff: int64(binary.LittleEndian.Uint32(header[56:]))}
	if err := f.readFAT(header); err != nil {
		return nil, err
	}
	if err := f.readDirectory(binary.LittleEndian.Uint32(header[48:])); err != nil {
		return nil, err
	}
	mini, err := f.chain(binary.LittleEndian.Uint32(header[60:]), f.size)
	if err == nil {
		f.miniFAT = words(mini)
	}
	f.miniStream, _ = f.chain(f.entries[0].start, f.entries[0].size) // a damaged one shows when a small stream is read
	return f, nil
}

func (f *File) readSector(n uint32) ([]byte, error) {
	if n > maxRegular {
		return nil, fmt.Errorf("sector %#x: %w", n, ErrDamaged)
	}
	data := make([]byte, f.sector)
	got, err := f.r.ReadAt(data, (int64(n)+1)*f.sector)
	if got == 0 && err != nil {
		return nil, fmt.Errorf("sector %d: %w", n, ErrDamaged)
	}
	return data, nil // a last sector that is cut off is filled up with zeros
}

// readFAT collects the sectors of the allocation table: 109 in the header, more in a chain of their own (MS-CFB 2.5).
func (f *File) readFAT(header []byte) error {
	limit := int(f.size/f.sector) + 2
	list := words(header[76:512])
	next := binary.LittleEndian.Uint32(header[68:])
	for n := 0; next <= maxRegular && n < limit; n++ {
		data, err := f.readSector(next)
		if err != nil {
			break
		}
		difat := words(data)
		list = append(list, difat[:len(difat)-1]...)
		next = difat[len(difat)-1]
	}
	for _, n := range list {
		if n > maxRegular || len(f.fat) > limit {
			continue
		}
		data, err := f.readSector(n)
		if err != nil {
			return err
		}
		f.fat = append(f.fat, words(data)...)
	}
	return nil
}

// chain reads the sectors of a stream, at most size bytes of them.
func (f *File) chain(start uint32, size int64) ([]byte, error) {
	if size < 0 || size > f.size {
		size = f.size
	}
	var out []byte
	for n, steps := start, 0; n <= maxRegular && int64(len(out)) < size; steps++ {
		if steps > len(f.fat) {
			return out, fmt.Errorf("chain runs in a circle: %w", ErrDamaged)
		}
		data, err := f.readSector(n)
		if err != nil {
			return out, err
		}
		out = append(out, data...)
		if int(n) >= len(f.fat) {
			return out, fmt.Errorf("chain leaves the table: %w", ErrDamaged)
		}
		n = f.fat[n]
	}
	return out[:min(int64(len(out)), size)], nil
}

func (f *File) readDirectory(start uint32) error {
	data, err := f.chain(start, f.size)
	if err != nil && len(data) == 0 {
		return err
	}
	for ; len(data) >= 128 && len(f.entries) < maxEntries; data = data[128:] {
		f.entries = append(f.entries, f.parseEntry(data[:128]))
	}
	if len(f.entries) == 0 {
		return fmt.Errorf("no directory: %w", ErrDamaged)
	}
	return nil
}

func (f *File) parseEntry(data []byte) entry {
	length := min(int(binary.LittleEndian.Uint16(data[64:])), 64)
	units := make([]uint16, 0, 32)
	for i := 0; i+2 <= length; i += 2 {
		if u := binary.LittleEndian.Uint16(data[i:]); u != 0 {
			units = append(units, u)
		}
	}
	size := int64(binary.LittleEndian.Uint64(data[120:]))
	if f.sector == 512 {
		size &= 0xFFFFFFFF // the high half is not always zero in version 3
	}
	return entry{
		name: string(utf16.Decode(units)), kind: data[66],
		left: binary.LittleEndian.Uint32(data[68:]), right: binary.LittleEndian.Uint32(data[72:]), child: binary.LittleEndian.Uint32(data[76:]),
		start: binary.LittleEndian.Uint32(data[116:]), size: size,
	}
}

func words(data []byte) []uint32 {
	list := make([]uint32, len(data)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return list
}

// Storage is a folder of a compound file.
type Storage struct {
	f    *File
	id   uint32
	Name string
}

// Root is the top storage.
func (f *File) Root() Storage { return Storage{f, 0, ""} }

// children gives the entries below a storage. They are a tree of siblings; a broken one is left where it breaks.
func (s Storage) children() []uint32 {
	var list []uint32
	seen := map[uint32]bool{}
	stack := []uint32{s.f.entries[s.id].child}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == noStream || int(id) >= len(s.f.entries) || seen[id] {
			continue
		}
		seen[id] = true
		list = append(list, id)
		stack = append(stack, s.f.entries[id].right, s.f.entries[id].left)
	}
	return list
}

// Storages gives the storages directly below.
func (s Storage) Storages() []Storage {
	var list []Storage
	for _, id := range s.children() {
		if s.f.entries[id].kind == 1 {
			list = append(list, Storage{s.f, id, s.f.entries[id].name})
		}
	}
	return list
}

// Streams gives the names of the streams directly below.
func (s Storage) Streams() []string {
	var list []string
	for _, id := range s.children() {
		if s.f.entries[id].kind == 2 {
			list = append(list, s.f.entries[id].name)
		}
	}
	return list
}

// Has tells whether there is a stream or storage of that name, in any case.
func (s Storage) Has(name string) bool {
	for _, id := range s.children() {
		if strings.EqualFold(s.f.entries[id].name, name) {
			return true
		}
	}
	return false
}

// Read gives a stream's content, or nil when there is none. What can be read of a damaged stream comes with the error.
func (s Storage) Read(name string) ([]byte, error) {
	for _, id := range s.children() {
		if e := s.f.entries[id]; e.kind == 2 && strings.EqualFold(e.name, name) {
			return s.f.stream(e)
		}
	}
	return nil, nil
}

func (f *File) stream(e entry) ([]byte, error) {
	if e.size >= f.miniCutoff {
		return f.chain(e.start, e.size)
	}
	var out []byte
	for n, steps := e.start, 0; n <= maxRegular && int64(len(out)) < e.size; steps++ {
		at := int64(n) * 64
		if steps > len(f.miniFAT) || int(n) >= len(f.miniFAT) || at >= int64(len(f.miniStream)) {
			return out, fmt.Errorf("small stream %q: %w", e.name, ErrDamaged)
		}
		out = append(out, f.miniStream[at:min(at+64, int64(len(f.miniStream)))]...)
		n = f.miniFAT[n]
	}
	return out[:min(int64(len(out)), e.size)], nil
}
