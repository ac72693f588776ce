package token

import (
	_ "embed"
	"math/bits"
)

//go:embed vocab/o200k_base.table
var o200kTable string

//go:embed vocab/cl100k_base.table
var cl100kTable string

// table is a vocabulary as a hash table that is read where it lies. All numbers are 32-bit little-endian:
//
//	n, slots            how many tokens and how many slots there are
//	offsets [n+1]       where the text of each token, in the order of rank, starts in the texts; n+1 of them
//	slot    [slots]     0 for none, or (rank+1) in the low 18 bits and 14 bits of the hash above; a full slot passes on to the next one
//	texts               the tokens, one after the other
type table struct {
	data                   string
	n, slots               uint32
	offsets, slotsAt, text int
}

const (
	rankBits = 18
	rankMask = 1<<rankBits - 1
)

func newTable(data string) table {
	t := table{data: data}
	t.n, t.slots = t.word(0), t.word(4)
	t.offsets = 8
	t.slotsAt = t.offsets + 4*int(t.n+1)
	t.text = t.slotsAt + 4*int(t.slots)
	return t
}

func (t *table) word(at int) uint32 {
	s := t.data[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// rank finds a token.
func (t *table) rank(piece string) (uint32, bool) {
	h := Hash(piece)
	check := uint32(h) &^ rankMask
	at, _ := bits.Mul32(uint32(h>>32), t.slots)
	for {
		slot := t.word(t.slotsAt + 4*int(at))
		if slot == 0 {
			return 0, false
		}
		if slot&^rankMask == check {
			rank := slot&rankMask - 1
			start, end := t.word(t.offsets+4*int(rank)), t.word(t.offsets+4*int(rank)+4)
			if t.data[t.text+int(start):t.text+int(end)] == piece {
				return rank, true
			}
		}
		if at++; at == t.slots {
			at = 0
		}
	}
}

// Hash is the hash function of the tables; vocab/generate.go uses it too.
func Hash(s string) uint64 {
	const k = 0x9E3779B97F4A7C15
	h := uint64(len(s)) * k
	for len(s) >= 8 {
		h = mix(h ^ (uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56))
		s = s[8:]
	}
	return mix(h ^ lastBytes(s))
}

// lastBytes is what is left of a text, less than eight bytes, as a number.
func lastBytes(s string) uint64 {
	n := len(s)
	if n >= 4 {
		low := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
		s = s[n-4:]
		high := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
		return low | high<<(8*uint(n-4))
	}
	var sum uint64
	for i := 0; i < n; i++ {
		sum |= uint64(s[i]) << (8 * i)
	}
	return sum
}

func mix(h uint64) uint64 {
	hi, lo := bits.Mul64(h^0xA0761D6478BD642F, 0xE7037ED1A0B428DB)
	return hi ^ lo
}
