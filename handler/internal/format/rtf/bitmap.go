package rtf

import endian "encoding/binary"

var little = endian.LittleEndian

// withFileHeader puts the header of a BMP file before a device-independent bitmap: RTF stores only what follows it
// (BITMAPFILEHEADER of the Windows API).
func withFileHeader(dib []byte) []byte {
	const fileHeader, infoHeader = 14, 40
	if len(dib) < infoHeader || dib[0] == 'B' && dib[1] == 'M' {
		return dib
	}
	size, bits := little.Uint32(dib), little.Uint16(dib[14:])
	colors := little.Uint32(dib[32:])
	if colors == 0 && bits <= 8 {
		colors = 1 << bits
	}
	if size == infoHeader && little.Uint32(dib[16:]) == 3 { // BI_BITFIELDS: three masks follow
		colors += 3
	}
	header := append(make([]byte, 0, fileHeader+len(dib)), "BM"...)
	header = little.AppendUint32(header, uint32(fileHeader+len(dib)))
	header = little.AppendUint32(header, 0)
	header = little.AppendUint32(header, fileHeader+size+4*colors)
	return append(header, dib...)
}
