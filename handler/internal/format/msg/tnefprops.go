package msg

import (
	"encoding/binary"
	"unicode/utf16"
)

// tnefProperties are the values of a list of MAPI properties (MS-OXTNEF 2.1.3.4) that have a length, by id.
type tnefProperties struct {
	values map[int][]byte
	wide   map[int]bool // text in UTF-16
}

// maxTNEFProperties bounds a list; Outlook writes some hundred.
const maxTNEFProperties = 10_000

// tnefSizes are the sizes of values that have always the same, in bytes, padded to four.
var tnefSizes = map[int]int{0x0002: 4, typeInt32: 4, 0x0004: 4, 0x0005: 8, 0x0006: 8, 0x0007: 8, 0x000A: 4, typeBool: 4, 0x0014: 8, typeTime: 8, 0x0048: 16}

// readTNEFProperties reads as far as the list is whole.
func readTNEFProperties(data []byte) tnefProperties {
	p := tnefProperties{values: map[int][]byte{}, wide: map[int]bool{}}
	r := tnefReader{data: data}
	for count := min(r.number(), maxTNEFProperties); count > 0 && !r.short; count-- {
		kind, id := r.half(), r.half()
		if id >= 0x8000 {
			r.name()
		}
		several, values := kind&0x1000 != 0, 1
		kind &^= 0x1000
		size, fixed := tnefSizes[kind]
		if several || !fixed {
			values = r.number()
		}
		for i := 0; i < values && i < maxTNEFProperties && !r.short; i++ {
			if fixed {
				r.take(size)
				continue
			}
			value := r.take(r.number())
			if i == 0 && id < 0x8000 && !r.short {
				p.values[id], p.wide[id] = value, kind == typeUnicode
			}
		}
	}
	return p
}

func (p tnefProperties) text(id, codePage int) string {
	data := p.values[id]
	if !p.wide[id] {
		return codePageText(data, codePage)
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		if u := binary.LittleEndian.Uint16(data[i:]); u != 0 {
			units = append(units, u)
		}
	}
	return string(utf16.Decode(units))
}

// tnefReader reads values one after the other; short says that they ended early.
type tnefReader struct {
	data  []byte
	short bool
}

// take gives n bytes and passes over the padding behind them.
func (r *tnefReader) take(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.short, r.data = true, nil
		return nil
	}
	value := r.data[:n]
	r.data = r.data[min(len(r.data), (n+3)/4*4):]
	return value
}

func (r *tnefReader) number() int {
	if b := r.take(4); len(b) == 4 {
		return int(int32(binary.LittleEndian.Uint32(b)))
	}
	return 0
}

func (r *tnefReader) half() int {
	if len(r.data) < 2 {
		r.short = true
		return 0
	}
	n := int(binary.LittleEndian.Uint16(r.data))
	r.data = r.data[2:]
	return n
}

// name passes over the name of a property that has no fixed id.
func (r *tnefReader) name() {
	r.take(16)
	if kind := r.number(); kind == 0 {
		r.number()
	} else {
		r.take(r.number())
	}
}
