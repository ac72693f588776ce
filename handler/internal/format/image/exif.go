package image

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// TIFF tags (TIFF 6.0, EXIF 2.32) and the names under which they are kept.
const (
	tagWidth       = 0x0100
	tagHeight      = 0x0101
	tagOrientation = 0x0112
	tagXResolution = 0x011A
	tagUnit        = 0x0128
	tagExif        = 0x8769
)

var textTags = map[uint16]string{
	0x010E: "description", 0x010F: "camera-make", 0x0110: "camera-model", 0x0131: "software", 0x0132: "modified-by-camera", 0x013B: "author",
	0x8298: "copyright", 0x9003: "created", 0x9004: "digitized", 0x010D: "title",
}

// directory is a reader of TIFF's linked lists of tags.
type directory struct {
	data  []byte
	order binary.ByteOrder
}

func openDirectory(data []byte) (directory, uint32, bool) {
	if len(data) < 8 {
		return directory{}, 0, false
	}
	d := directory{data: data, order: binary.LittleEndian}
	if string(data[:2]) == "MM" {
		d.order = binary.BigEndian
	} else if string(data[:2]) != "II" {
		return directory{}, 0, false
	}
	return d, d.order.Uint32(data[4:]), true
}

// maxTags and maxDirectories bound a directory and their chain.
const (
	maxTags        = 1000
	maxDirectories = 100_000
)

// each calls visit for every tag of the directory at offset and gives the offset of the next directory.
func (d directory) each(offset uint32, visit func(tag, kind uint16, count uint32, value []byte)) uint32 {
	if int64(offset)+2 > int64(len(d.data)) {
		return 0
	}
	n := min(int(d.order.Uint16(d.data[offset:])), maxTags)
	at := int64(offset) + 2
	for range n {
		if at+12 > int64(len(d.data)) {
			return 0
		}
		entry := d.data[at : at+12]
		visit(d.order.Uint16(entry), d.order.Uint16(entry[2:]), d.order.Uint32(entry[4:]), entry[8:])
		at += 12
	}
	if at+4 > int64(len(d.data)) {
		return 0
	}
	return d.order.Uint32(d.data[at:])
}

func (d directory) number(kind uint16, value []byte) int {
	if kind == 3 {
		return int(d.order.Uint16(value))
	}
	return int(d.order.Uint32(value))
}

func (d directory) text(count uint32, value []byte) string {
	data := value
	if count > 4 {
		at := int64(d.order.Uint32(value))
		if at >= int64(len(d.data)) {
			return ""
		}
		data = d.data[at:min(at+int64(min(count, 4096)), int64(len(d.data)))]
	} else {
		data = data[:count]
	}
	return strings.TrimSpace(strings.TrimRight(string(data), "\x00"))
}

func (d directory) ratio(value []byte) float64 {
	at := int64(d.order.Uint32(value))
	if at+8 > int64(len(d.data)) {
		return 0
	}
	bottom := d.order.Uint32(d.data[at+4:])
	if bottom == 0 {
		return 0
	}
	return float64(d.order.Uint32(d.data[at:])) / float64(bottom)
}

// exif reads the first directory and the one of EXIF below it.
func (f *facts) exif(data []byte) {
	d, offset, ok := openDirectory(data)
	if !ok {
		return
	}
	if f.info == nil {
		f.info = map[string]string{}
	}
	below := uint32(0)
	dpi, unit := 0.0, 2
	visit := func(tag, kind uint16, count uint32, value []byte) {
		switch {
		case tag == tagOrientation:
			if o := d.number(3, value); o >= 1 && o <= 8 {
				f.orientation = o
			}
		case tag == tagExif:
			below = d.order.Uint32(value)
		case tag == tagXResolution:
			dpi = d.ratio(value)
		case tag == tagUnit:
			unit = d.number(3, value)
		case textTags[tag] != "" && kind == 2:
			f.info[textTags[tag]] = d.text(count, value)
		}
	}
	d.each(offset, visit)
	if below != 0 {
		d.each(below, visit)
	}
	if unit == 3 {
		dpi *= 2.54
	}
	if dpi > 1 {
		f.dpi = dpi
	}
}

// readTIFF reads the size from the first directory and counts the pages.
func readTIFF(r *reader) (facts, error) {
	data, err := r.at(0, int(min(r.size, maxPicture)))
	if err != nil {
		return facts{}, err
	}
	d, offset, ok := openDirectory(data)
	if !ok {
		return facts{}, errShort
	}
	if d.order.Uint16(data[2:]) == 43 {
		return facts{}, fmt.Errorf("BigTIFF is not read: %w", errShort)
	}
	var f facts
	f.exif(data)
	seen := map[uint32]bool{}
	for offset != 0 && !seen[offset] && f.pages < maxDirectories {
		seen[offset] = true
		first := f.pages == 0
		offset = d.each(offset, func(tag, kind uint16, _ uint32, value []byte) {
			switch {
			case tag == tagWidth && first:
				f.width = d.number(kind, value)
			case tag == tagHeight && first:
				f.height = d.number(kind, value)
			}
		})
		f.pages++
	}
	return f, nil
}
