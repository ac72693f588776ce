package msg

import "encoding/binary"

// prebuilt is the dictionary that compressed RTF begins with (MS-OXRTFCP 2.1.2.1).
const prebuilt = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// maxRTF bounds an unpacked body, in bytes.
const maxRTF = 64 << 20

// unpackRTF decompresses a body (MS-OXRTFCP). Damage ends it where it occurs.
func unpackRTF(data []byte) string {
	if len(data) < 16 {
		return ""
	}
	size := min(int(binary.LittleEndian.Uint32(data[4:])), maxRTF)
	kind := binary.LittleEndian.Uint32(data[8:])
	body := data[16:]
	if kind == 0x414C454D { // "MELA": stored
		return string(body[:min(len(body), size)])
	}
	if kind != 0x75465A4C { // "LZFu"
		return ""
	}
	var dictionary [4096]byte
	write := copy(dictionary[:], prebuilt)
	out := make([]byte, 0, min(size, len(body)*8))
	put := func(c byte) {
		out = append(out, c)
		dictionary[write] = c
		write = (write + 1) % len(dictionary)
	}
	for len(body) > 0 && len(out) < size {
		control := body[0]
		body = body[1:]
		for bit := 0; bit < 8 && len(body) > 0 && len(out) < size; bit++ {
			if control&(1<<bit) == 0 {
				put(body[0])
				body = body[1:]
				continue
			}
			if len(body) < 2 {
				return string(out)
			}
			token := binary.BigEndian.Uint16(body)
			body = body[2:]
			offset, length := int(token>>4), int(token&0xF)+2
			if offset == write {
				return string(out)
			}
			for i := range length {
				put(dictionary[(offset+i)%len(dictionary)])
			}
		}
	}
	return string(out)
}
