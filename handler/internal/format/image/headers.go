package image

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

var errShort = errors.New("the header ends early")

// reader reads pieces of the file by offset.
type reader struct {
	r    io.ReaderAt
	size int64
}

func (r *reader) at(offset int64, n int) ([]byte, error) {
	if offset < 0 || offset >= r.size {
		return nil, errShort
	}
	data := make([]byte, min(int64(n), r.size-offset))
	if _, err := r.r.ReadAt(data, offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read header: %w", err)
	}
	return data, nil
}

// exactly is at with an error when fewer bytes are there.
func (r *reader) exactly(offset int64, n int) ([]byte, error) {
	data, err := r.at(offset, n)
	if err == nil && len(data) < n {
		err = errShort
	}
	return data, err
}

// maxChunks bounds how many pieces of a header are walked over.
const maxChunks = 10_000

func readPNG(r *reader) (facts, error) {
	head, err := r.exactly(0, 33)
	if err != nil {
		return facts{}, err
	}
	f := facts{width: int(binary.BigEndian.Uint32(head[16:])), height: int(binary.BigEndian.Uint32(head[20:])), info: map[string]string{}}
	at := int64(33)
	for range maxChunks {
		chunk, err := r.exactly(at, 8)
		if err != nil {
			break
		}
		length, name := int64(binary.BigEndian.Uint32(chunk)), string(chunk[4:])
		switch {
		case name == "IDAT" || name == "IEND":
			return f, nil
		case name == "pHYs" && length >= 9:
			if data, err := r.exactly(at+8, 9); err == nil && data[8] == 1 {
				f.dpi = float64(binary.BigEndian.Uint32(data)) * 0.0254
			}
		case name == "eXIf" && length < 1<<20:
			if data, err := r.at(at+8, int(length)); err == nil {
				f.exif(data)
			}
		case name == "tEXt" && length < 1<<16:
			if data, err := r.at(at+8, int(length)); err == nil {
				f.pngText(data)
			}
		}
		at += 12 + length
	}
	return f, nil
}

func (f *facts) pngText(data []byte) {
	key, text, ok := bytes.Cut(data, []byte{0})
	names := map[string]string{"Title": "title", "Author": "author", "Description": "description", "Software": "software", "Comment": "comment", "Copyright": "copyright"}
	if name := names[string(key)]; ok && name != "" {
		f.info[name] = latin1(text)
	}
}

func latin1(data []byte) string {
	runes := make([]rune, len(data))
	for i, c := range data {
		runes[i] = rune(c)
	}
	return string(runes)
}

func readJPEG(r *reader) (facts, error) {
	f := facts{info: map[string]string{}}
	at := int64(2)
	for range maxChunks {
		marker, err := r.exactly(at, 4)
		if err != nil {
			break
		}
		if marker[0] != 0xff || marker[1] == 0xff || marker[1] == 0 {
			at++ // fill bytes, or rubbish between segments
			continue
		}
		code, length := marker[1], int(binary.BigEndian.Uint16(marker[2:]))
		switch {
		case code >= 0xd0 && code <= 0xd8 || code == 0x01:
			at += 2
			continue
		case code == 0xd9 || code == 0xda:
			return f, nil
		case code >= 0xc0 && code <= 0xcf && code != 0xc4 && code != 0xc8 && code != 0xcc:
			if data, err := r.exactly(at+4, 5); err == nil {
				f.height, f.width = int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
			}
		case code == 0xe0 || code == 0xe1 || code == 0xfe:
			if data, err := r.at(at+4, max(0, length-2)); err == nil {
				f.jpegSegment(code, data)
			}
		}
		at += 2 + int64(length)
	}
	return f, nil
}

func (f *facts) jpegSegment(code byte, data []byte) {
	switch {
	case code == 0xfe:
		f.info["comment"] = latin1(data)
	case bytes.HasPrefix(data, []byte("Exif\x00\x00")):
		f.exif(data[6:])
	case bytes.HasPrefix(data, []byte("JFIF\x00")) && len(data) >= 12:
		density := float64(binary.BigEndian.Uint16(data[8:]))
		switch data[7] {
		case 1:
			f.dpi = density
		case 2:
			f.dpi = density * 2.54
		}
	}
}

func readGIF(r *reader) (facts, error) {
	head, err := r.exactly(0, 10)
	if err != nil {
		return facts{}, err
	}
	return facts{width: int(binary.LittleEndian.Uint16(head[6:])), height: int(binary.LittleEndian.Uint16(head[8:]))}, nil
}

func isBMP(head []byte) bool {
	if len(head) < 26 || string(head[:2]) != "BM" {
		return false
	}
	size := binary.LittleEndian.Uint32(head[14:])
	return size == 12 || size >= 40 && size <= 124
}

func readBMP(r *reader) (facts, error) {
	head, err := r.exactly(0, 26)
	if err != nil {
		return facts{}, err
	}
	if binary.LittleEndian.Uint32(head[14:]) == 12 {
		return facts{width: int(binary.LittleEndian.Uint16(head[18:])), height: int(binary.LittleEndian.Uint16(head[20:]))}, nil
	}
	height := int(int32(binary.LittleEndian.Uint32(head[22:])))
	return facts{width: int(int32(binary.LittleEndian.Uint32(head[18:]))), height: max(height, -height)}, nil
}

// readWebP walks over the RIFF chunks: VP8 (lossy), VP8L (lossless) or VP8X (extended), and EXIF.
func readWebP(r *reader) (facts, error) {
	f := facts{info: map[string]string{}}
	at := int64(12)
	for range maxChunks {
		head, err := r.exactly(at, 8)
		if err != nil {
			break
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		data, _ := r.at(at+8, int(min(length, 1<<20)))
		switch name := string(head[:4]); {
		case name == "VP8X" && len(data) >= 10:
			f.width, f.height = 1+(int(data[4])|int(data[5])<<8|int(data[6])<<16), 1+(int(data[7])|int(data[8])<<8|int(data[9])<<16)
		case name == "VP8 " && len(data) >= 10 && f.width == 0:
			f.width, f.height = int(binary.LittleEndian.Uint16(data[6:])&0x3fff), int(binary.LittleEndian.Uint16(data[8:])&0x3fff)
		case name == "VP8L" && len(data) >= 5 && f.width == 0:
			bits := binary.LittleEndian.Uint32(data[1:])
			f.width, f.height = int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1
		case name == "EXIF":
			f.exif(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
		}
		at += 8 + length + length%2
	}
	return f, nil
}

func isHEIC(head []byte) bool {
	if len(head) < 12 || string(head[4:8]) != "ftyp" {
		return false
	}
	switch string(head[8:12]) {
	case "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis":
		return true
	}
	return false
}

// readHEIC finds the largest image size property ("ispe") of the file's metadata; tiles have smaller ones.
func readHEIC(r *reader) (facts, error) {
	head, err := r.at(0, 1<<20)
	if err != nil {
		return facts{}, err
	}
	var f facts
	for rest := head; ; {
		i := bytes.Index(rest, []byte("ispe"))
		if i < 0 || len(rest) < i+16 {
			break
		}
		width, height := int(binary.BigEndian.Uint32(rest[i+8:])), int(binary.BigEndian.Uint32(rest[i+12:]))
		if width*height > f.width*f.height {
			f.width, f.height = width, height
		}
		rest = rest[i+16:]
	}
	if i := bytes.Index(head, []byte("irot")); i >= 0 && len(head) > i+4 && head[i+4]&1 == 1 {
		f.orientation = 6
	}
	if f.width == 0 {
		return f, errShort
	}
	return f, nil
}
