package xmltree

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"decant/handler/internal/lazyregexp"
)

var declaredEncoding = lazyregexp.New(`^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// decoded gives r as UTF-8: by its byte order mark, by zero bytes around the first "<", or by its declaration.
func decoded(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 4096)
	head, _ := b.Peek(256)
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		_, _ = b.Discard(3)
		return b
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), bytes.HasPrefix(head, []byte{'<', 0}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(b)
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), bytes.HasPrefix(head, []byte{0, '<'}):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(b)
	}
	match := declaredEncoding.FindSubmatch(head)
	if match == nil {
		return b
	}
	label := strings.ToLower(string(match[1]))
	if strings.HasPrefix(label, "utf") || strings.HasPrefix(label, "us-ascii") { // not UTF-16, as the bytes show
		return b
	}
	enc, err := htmlindex.Get(label)
	if err != nil || enc == encoding.Nop {
		return b
	}
	return enc.NewDecoder().Reader(b)
}
