package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// writeCompressed lays objects out in one object stream, but for those that are streams, with a cross-reference stream.
func writeCompressed(objects []string, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	group, table := len(objects)+1, len(objects)+2
	entries := make([]byte, 0, 7*(len(objects)+3))
	entry := func(kind byte, where, index int) {
		entries = append(entries, be(kind, uint32(where), uint16(index))...)
	}
	entry(0, 0, 65535)
	var index, inner strings.Builder
	count := 0
	for i, body := range objects {
		if strings.Contains(body, "endstream") {
			entry(1, b.Len(), 0)
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
			continue
		}
		entry(2, group, count)
		fmt.Fprintf(&index, "%d %d ", i+1, inner.Len())
		inner.WriteString(body + "\n")
		count++
	}
	entry(1, b.Len(), 0)
	packed := Deflated(index.String() + inner.String())
	fmt.Fprintf(&b, "%d 0 obj\n<< /Type /ObjStm /N %d /First %d /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\n",
		group, count, index.Len(), len(packed), packed)
	start := b.Len()
	entry(1, start, 0)
	packed = Deflated(string(entries))
	fmt.Fprintf(&b, "%d 0 obj\n<< /Type /XRef /Size %d /W [1 4 2] /Root 1 0 R %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n",
		table, table+1, trailer, len(packed), packed, start)
	return b.Bytes()
}

// Deflated is data as FlateDecode wants it.
func Deflated(data string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write([]byte(data)); err != nil {
		panic("pdftest: internal error: " + err.Error())
	}
	if err := z.Close(); err != nil {
		panic("pdftest: internal error: " + err.Error())
	}
	return b.String()
}
