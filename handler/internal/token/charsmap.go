package token

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// charsmap is SentencePiece's table of replacements: a double-array trie (Darts) from bytes to places in a list of texts.
type charsmap struct {
	trie  []uint32
	texts string
}

// readCharsmap reads a precompiled_charsmap: the size of the trie in bytes, the trie, and texts that end with a zero byte.
func readCharsmap(data []byte) (func(string) string, error) {
	if len(data) == 0 {
		return func(s string) string { return s }, nil
	}
	if len(data) < 4 {
		return nil, errors.New("precompiled_charsmap is too short")
	}
	size := int(binary.LittleEndian.Uint32(data))
	if size < 4 || size%4 != 0 || size > len(data)-4 {
		return nil, errors.New("precompiled_charsmap is cut off")
	}
	m := &charsmap{trie: make([]uint32, size/4), texts: string(data[4+size:])}
	for i := range m.trie {
		m.trie[i] = binary.LittleEndian.Uint32(data[4+4*i:])
	}
	return m.normalize, nil
}

// find gives the replacement of the shortest beginning of s that has one.
func (m *charsmap) find(s string) (string, bool) {
	at := m.offset(m.trie[0])
	for i := 0; i < len(s) && s[i] != 0; i++ {
		at ^= uint32(s[i])
		if int(at) >= len(m.trie) {
			return "", false
		}
		unit := m.trie[at]
		if unit&(1<<31|0xFF) != uint32(s[i]) {
			return "", false
		}
		at ^= m.offset(unit)
		if unit>>8&1 == 1 && int(at) < len(m.trie) {
			return m.text(int(m.trie[at] & (1<<31 - 1))), true
		}
	}
	return "", false
}

func (m *charsmap) offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

func (m *charsmap) text(at int) string {
	if at >= len(m.texts) {
		return ""
	}
	text, _, _ := strings.Cut(m.texts[at:], "\x00")
	return text
}

func (m *charsmap) normalize(s string) string {
	if isPlainASCII(s) {
		return s
	}
	var b strings.Builder
	state := -1
	for s != "" {
		var cluster string
		cluster, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		if len(cluster) < 6 {
			if text, ok := m.find(cluster); ok {
				b.WriteString(text)
				continue
			}
		}
		for cluster != "" {
			_, size := utf8.DecodeRuneInString(cluster)
			if text, ok := m.find(cluster[:size]); ok {
				b.WriteString(text)
			} else {
				b.WriteString(cluster[:size])
			}
			cluster = cluster[size:]
		}
	}
	return b.String()
}

// isPlainASCII tells whether no table changes a text: printable ASCII only.
func isPlainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
