package formattest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf16"
)

// Storage is a folder of a compound file (MS-CFB): what .msg, .doc and protected Office files are made of.
type Storage struct {
	Streams  map[string]string
	Storages map[string]Storage
}

const (
	sectorSize = 512
	miniSize   = 64
	miniCutoff = 4096
	freeSector = 0xFFFFFFFF
	endOfChain = 0xFFFFFFFE
	fatSector  = 0xFFFFFFFD
)

// Compound writes a compound file, so that tests can say what is in one. Streams below 4 KiB go where such streams go.
func Compound(root Storage) []byte {
	w := &compound{}
	w.entries = append(w.entries, dirEntry{name: "Root Entry", kind: 5})
	w.add(0, root)
	w.entries[0].start, w.entries[0].size = w.big(w.mini.Bytes()), w.mini.Len()
	miniFAT := w.big(words(w.miniFAT))
	directory := w.big(w.directory())
	fat := len(w.sectors)
	fats := 1
	for (len(w.fat)+fats)*4 > fats*sectorSize {
		fats++
	}
	for range fats {
		w.fat = append(w.fat, fatSector)
	}
	header := make([]byte, sectorSize)
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	le := binary.LittleEndian
	for at, v := range map[int]uint16{24: 0x3E, 26: 3, 28: 0xFFFE, 30: 9, 32: 6} {
		le.PutUint16(header[at:], v)
	}
	for at, v := range map[int]uint32{44: uint32(fats), 48: directory, 56: miniCutoff, 60: miniFAT, 64: uint32((len(w.miniFAT)*4 + sectorSize - 1) / sectorSize), 68: endOfChain} {
		le.PutUint32(header[at:], v)
	}
	for i := range 109 {
		v := uint32(freeSector)
		if i < fats {
			v = uint32(fat + i)
		}
		le.PutUint32(header[76+4*i:], v)
	}
	out := append(header, bytes.Join(w.sectors, nil)...)
	return append(out, pad(words(w.fat), fats*sectorSize, 0xFF)...)
}

type dirEntry struct {
	name               string
	kind               byte // 1 storage, 2 stream, 5 root
	right, child       int  // 0 for none
	start              uint32
	size               int
	hasRight, hasChild bool
}

type compound struct {
	entries      []dirEntry
	sectors      [][]byte
	fat, miniFAT []uint32
	mini         bytes.Buffer
}

// add writes what is in a storage; the siblings are a chain, which is a tree too.
func (w *compound) add(parent int, s Storage) {
	var names []string
	for name := range s.Streams {
		names = append(names, name)
	}
	for name := range s.Storages {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	before := -1
	for _, name := range names {
		i := len(w.entries)
		e := dirEntry{name: name, kind: 1}
		text, isStream := s.Streams[name]
		if isStream {
			e.kind, e.size = 2, len(text)
			e.start = w.stream(text)
		}
		w.entries = append(w.entries, e)
		if before < 0 {
			w.entries[parent].child, w.entries[parent].hasChild = i, true
		} else {
			w.entries[before].right, w.entries[before].hasRight = i, true
		}
		before = i
		if !isStream {
			w.add(i, s.Storages[name])
		}
	}
}

func (w *compound) stream(text string) uint32 {
	switch {
	case text == "":
		return endOfChain
	case len(text) >= miniCutoff:
		return w.big([]byte(text))
	}
	start := len(w.miniFAT)
	w.mini.Write(pad([]byte(text), (len(text)+miniSize-1)/miniSize*miniSize, 0))
	w.miniFAT = chain(w.miniFAT, (len(text)+miniSize-1)/miniSize)
	return uint32(start)
}

func (w *compound) big(data []byte) uint32 {
	if len(data) == 0 {
		return endOfChain
	}
	start, n := len(w.sectors), (len(data)+sectorSize-1)/sectorSize
	data = pad(data, n*sectorSize, 0)
	for i := range n {
		w.sectors = append(w.sectors, data[i*sectorSize:(i+1)*sectorSize])
	}
	w.fat = chain(w.fat, n)
	return uint32(start)
}

func chain(table []uint32, n int) []uint32 {
	for i := range n {
		next := uint32(len(table) + 1)
		if i == n-1 {
			next = endOfChain
		}
		table = append(table, next)
	}
	return table
}

func (w *compound) directory() []byte {
	var out []byte
	for _, e := range w.entries {
		b := make([]byte, 128)
		name := utf16.Encode([]rune(e.name))
		for i, u := range name {
			binary.LittleEndian.PutUint16(b[2*i:], u)
		}
		binary.LittleEndian.PutUint16(b[64:], uint16(2*len(name)+2))
		b[66], b[67] = e.kind, 1
		for at, link := range map[int]struct {
			to  int
			has bool
		}{68: {}, 72: {e.right, e.hasRight}, 76: {e.child, e.hasChild}} {
			v := uint32(freeSector)
			if link.has {
				v = uint32(link.to)
			}
			binary.LittleEndian.PutUint32(b[at:], v)
		}
		binary.LittleEndian.PutUint32(b[116:], e.start)
		binary.LittleEndian.PutUint32(b[120:], uint32(e.size))
		out = append(out, b...)
	}
	return out
}

func words(list []uint32) []byte {
	out := make([]byte, 0, 4*len(list))
	for _, v := range list {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

func pad(data []byte, size int, with byte) []byte {
	return append(bytes.Clone(data), bytes.Repeat([]byte{with}, max(0, size-len(data)))...)
}
