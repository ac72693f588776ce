package oleobject

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"

	"decant/handler/internal/cfb"
)

// File is what was found in an object.
type File struct {
	Name    string // with an extension where it is known: "report.pdf", "object.xls"
	Content []byte // part of the object's data, or a copy
}

// streams say where programs put a file that is not named, and what its extension is by its first bytes.
var streams = []string{"CONTENTS", "Package", "EmbeddedOdf", "package_stream"}

// whole are the streams of old Office files: the object itself is the file.
var whole = []struct{ stream, extension string }{
	{"WordDocument", ".doc"}, {"Workbook", ".xls"}, {"Book", ".xls"}, {"PowerPoint Document", ".ppt"}, {"VisioDocument", ".vsd"}, {"__properties_version1.0", ".msg"},
}

const native = "\x01Ole10Native"

// Find gives the file in an object. It is false when the object holds none that is known: what the program made is in it, and nothing else.
func Find(object []byte) (File, bool) {
	f, err := cfb.Open(bytes.NewReader(object), int64(len(object)))
	if err != nil {
		return File{}, false
	}
	root := f.Root()
	for _, w := range whole {
		if root.Has(w.stream) {
			return File{"object" + w.extension, object}, true
		}
	}
	for _, name := range streams {
		if content, err := root.Read(name); err == nil && len(content) > 0 {
			return File{"object" + extension(content), content}, true
		}
	}
	if content, err := root.Read(native); err == nil {
		return readNative(content)
	}
	return File{}, false
}

// extension knows the kinds of files that stand in unnamed streams. The names in an Office package's directory are not packed.
func extension(content []byte) string {
	if bytes.HasPrefix(content, []byte("PK\x03\x04")) {
		for _, part := range []struct{ name, extension string }{{"word/document.xml", ".docx"}, {"xl/workbook.", ".xlsx"}, {"ppt/presentation.xml", ".pptx"}} {
			if bytes.Contains(content, []byte(part.name)) {
				return part.extension
			}
		}
	}
	for _, known := range []struct{ magic, extension string }{{"%PDF", ".pdf"}, {"PK\x03\x04", ".zip"}, {"{\\rtf", ".rtf"}, {"\x89PNG", ".png"}, {"\xff\xd8\xff", ".jpg"}} {
		if bytes.HasPrefix(content, []byte(known.magic)) {
			return known.extension
		}
	}
	return ".bin"
}

// readNative reads an Ole10Native stream: size, flags, label, file name, flags, temporary path with its length, size, data (MS-OLEDS 2.3.6
// names the stream; the layout inside is that of the Windows packager).
func readNative(data []byte) (File, bool) {
	r := reader{data: data}
	r.skip(4 + 2)
	label := r.text()
	name := r.text()
	r.skip(2 + 2)
	r.skip(int(r.number()))
	content := r.take(int(r.number()))
	if r.failed || len(content) == 0 {
		return File{}, false
	}
	for _, name := range []string{label, name} {
		name = path.Base(strings.ReplaceAll(name, `\`, "/"))
		if strings.Trim(name, "./") != "" {
			return File{name, content}, true
		}
	}
	return File{"object" + extension(content), content}, true
}

// reader cuts pieces off data; after a piece that is not there it only gives nothing.
type reader struct {
	data   []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.data) || r.failed {
		r.failed = true
		return nil
	}
	piece := r.data[:n]
	r.data = r.data[n:]
	return piece
}

func (r *reader) skip(n int) { r.take(n) }

func (r *reader) number() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// text reads up to a zero byte; bytes beyond ASCII are in a code page that is not told, and are taken as Latin-1.
func (r *reader) text() string {
	end := bytes.IndexByte(r.data, 0)
	if end < 0 {
		r.failed = true
	}
	var b strings.Builder
	for _, c := range bytes.TrimSuffix(r.take(end+1), []byte{0}) {
		b.WriteRune(rune(c))
	}
	return b.String()
}
