package format

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"decant/handler/internal/cfb"
)

// How much detection looks at.
const (
	headBytes   = 64 << 10
	tailBytes   = 4 << 10
	headMembers = 10_000
)

// ReadHead reads what detection may look at. It reads little, whatever the size of the file.
func ReadHead(r io.ReaderAt, size int64, name string) (*Head, error) {
	h := &Head{Size: size, Name: strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))}
	h.Bytes = make([]byte, min(size, headBytes))
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), h.Bytes); err != nil {
		return nil, fmt.Errorf("read the first %d bytes: %w", len(h.Bytes), err)
	}
	h.Tail = make([]byte, min(size, tailBytes))
	if _, err := r.ReadAt(h.Tail, size-int64(len(h.Tail))); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the last %d bytes: %w", len(h.Tail), err)
	}
	h.Text = asText(h.Bytes, size > headBytes)
	if bytes.HasPrefix(h.Bytes, []byte(cfb.Magic)) {
		h.readStreams(r)
	}
	if bytes.HasPrefix(h.Bytes, []byte("PK\x03\x04")) || bytes.HasPrefix(h.Bytes, []byte("PK\x05\x06")) {
		h.readMembers(r)
	}
	return h, nil
}

func (h *Head) readStreams(r io.ReaderAt) {
	if f, err := cfb.Open(r, h.Size); err == nil { // a damaged one has no streams
		streams := f.Root().Streams()
		h.Streams = streams[:min(len(streams), headMembers)]
	}
}

func (h *Head) readMembers(r io.ReaderAt) {
	z, err := zip.NewReader(r, h.Size)
	if err != nil {
		return // a damaged zip has no members; the parser that takes it says what is wrong
	}
	byName := map[string]*zip.File{}
	for _, f := range z.File[:min(len(z.File), headMembers)] {
		h.Members = append(h.Members, f.Name)
		byName[f.Name] = f
	}
	h.ReadMember = func(name string) []byte {
		f := byName[name]
		if f == nil {
			return nil
		}
		rc, err := f.Open()
		if err != nil {
			return nil
		}
		defer rc.Close()
		data, _ := io.ReadAll(io.LimitReader(rc, headBytes)) // what could be read is enough to look at
		return data
	}
}

// HasStream tells whether the compound file has one of the given streams in its root; case does not count there ([MS-CFB] 2.6.4).
func (h *Head) HasStream(names ...string) bool {
	return slices.ContainsFunc(h.Streams, func(stream string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, stream) })
	})
}

// HasMember tells whether the zip has a member of that name.
func (h *Head) HasMember(name string) bool {
	for _, m := range h.Members {
		if m == name {
			return true
		}
	}
	return false
}

// Member gives the first 64 KiB of a zip member, or nil.
func (h *Head) Member(name string) []byte {
	if h.ReadMember == nil {
		return nil
	}
	return h.ReadMember(name)
}

// HasPrefix tells whether the file starts with one of the given magic texts.
func (h *Head) HasPrefix(magic ...string) bool {
	for _, m := range magic {
		if bytes.HasPrefix(h.Bytes, []byte(m)) {
			return true
		}
	}
	return false
}

// HasExtension tells whether the name ends in one of the given extensions, with dot.
func (h *Head) HasExtension(extensions ...string) bool {
	for _, e := range extensions {
		if strings.HasSuffix(h.Name, e) {
			return true
		}
	}
	return false
}

// IsTornPackage tells whether this is the beginning of a zip that lost its directory, under a name with one of the extensions: the
// format of that name, not an archive, says what is wrong with it.
func (h *Head) IsTornPackage(extensions ...string) bool {
	return len(h.Members) == 0 && h.HasPrefix("PK\x03\x04") && h.HasExtension(extensions...)
}

// asText gives data as UTF-8 when it looks like text, else "". Parsers decode properly; this is for looking only.
func asText(data []byte, cut bool) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return utf16Text(data[2:], func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 })
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return utf16Text(data[2:], func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 })
	}
	if !plausibleText(data) {
		return ""
	}
	if cut {
		data = trimBrokenEnd(data)
	}
	if utf8.Valid(data) {
		return string(data)
	}
	runes := make([]rune, len(data))
	for i, c := range data {
		runes[i] = rune(c)
	}
	return string(runes)
}

func utf16Text(data []byte, unit func([]byte) uint16) string {
	units := make([]uint16, 0, len(data)/2)
	for ; len(data) >= 2; data = data[2:] {
		units = append(units, unit(data))
	}
	return string(utf16.Decode(units))
}

// plausibleText is false when control characters that text does not have are more than a trace.
func plausibleText(data []byte) bool {
	odd := 0
	for _, c := range data {
		if c == 0 {
			return false
		}
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			odd++
		}
	}
	return odd*200 <= len(data)
}

func trimBrokenEnd(data []byte) []byte {
	for i := 0; i < utf8.UTFMax-1 && len(data) > 0; i++ {
		if r, _ := utf8.DecodeLastRune(data); r != utf8.RuneError {
			break
		}
		data = data[:len(data)-1]
	}
	return data
}
