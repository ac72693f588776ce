package pdftest

import (
	"bytes"
	"encoding/binary"
)

// squareFont is a TrueType font of the given number of glyphs, each a filled square of one em: enough for a reader that wants a
// real font to place text with. It has no cmap: glyphs are shown by number.
func squareFont(glyphs int) []byte {
	glyph := be(int16(1), int16(0), int16(0), int16(1000), int16(800), // one contour and its box
		uint16(3), uint16(0), // ends at point 3, no instructions
		[]byte{1, 1, 1, 1}, int16(0), int16(1000), int16(0), int16(-1000), int16(0), int16(0), int16(800), int16(0))
	var loca, glyf, hmtx []byte
	for range glyphs {
		loca = append(loca, be(uint32(len(glyf)))...)
		glyf = append(glyf, glyph...)
		hmtx = append(hmtx, be(uint16(1000), int16(0))...)
	}
	loca = append(loca, be(uint32(len(glyf)))...)
	head := be(uint32(0x10000), uint32(0x10000), uint32(0), uint32(0x5F0F3CF5), uint16(0), uint16(1000), uint64(0), uint64(0),
		int16(0), int16(0), int16(1000), int16(800), uint16(0), uint16(8), int16(2), int16(1), int16(0))
	hhea := be(uint32(0x10000), int16(800), int16(-200), int16(0), uint16(1000), int16(0), int16(0), int16(1000), int16(1), int16(0),
		int16(0), uint64(0), int16(0), uint16(glyphs))
	maxp := be(uint32(0x10000), uint16(glyphs), uint16(4), uint16(1), uint16(0), uint16(0), uint16(1), uint16(0), uint16(0),
		uint16(0), uint16(0), uint16(0), uint16(0), uint16(0), uint16(0))
	return sfnt([]string{"glyf", "head", "hhea", "hmtx", "loca", "maxp"}, [][]byte{glyf, head, hhea, hmtx, loca, maxp})
}

// sfnt lays tables out as a font file; no one checks their sums.
func sfnt(tags []string, tables [][]byte) []byte {
	out := be(uint32(0x10000), uint16(len(tags)), uint16(64), uint16(2), uint16(len(tags)*16-64))
	at := len(out) + 16*len(tags)
	var body []byte
	for i, table := range tables {
		out = append(out, tags[i]...)
		out = append(out, be(uint32(0), uint32(at+len(body)), uint32(len(table)))...)
		body = append(body, table...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(out, body...)
}

// be writes values of fixed size one after the other, in big-endian order.
func be(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.BigEndian, v); err != nil {
			panic("pdftest: internal error: " + err.Error())
		}
	}
	return b.Bytes()
}
