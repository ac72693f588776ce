package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"decant/handler/internal/children"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// unpacker opens a compressed stream and gives the name of the file inside, where the format keeps one.
type unpacker func(io.Reader) (r io.Reader, name string, err error)

var packings = []struct {
	magic string
	open  unpacker
}{
	{"\x1f\x8b\x08", openGzip},
	{"BZh", func(r io.Reader) (io.Reader, string, error) { return bzip2.NewReader(r), "", nil }},
	{"\xfd7zXZ\x00", func(r io.Reader) (io.Reader, string, error) {
		x, err := xz.ReaderConfig{DictCap: 64 << 20, SingleStream: false}.NewReader(r)
		return x, "", err
	}},
	{"\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, string, error) {
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		return z, "", err
	}},
}

// packing finds how data is compressed, or nil.
func packing(data []byte) unpacker {
	for _, p := range packings {
		if bytes.HasPrefix(data, []byte(p.magic)) {
			return p.open
		}
	}
	return nil
}

func openGzip(r io.Reader) (io.Reader, string, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, "", err
	}
	return z, memberName(z.Name, false), nil
}

func parsePacked(ctx context.Context, in *format.Input) (*doc.Document, error) {
	magic := make([]byte, 8)
	n, err := in.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	open := packing(magic[:n])
	if open == nil {
		return nil, fault.New(fault.Corrupt, "The file is not compressed in a known way.", nil)
	}
	r, name, err := open(bufio.NewReaderSize(in.Reader(), 64<<10))
	if err != nil {
		return nil, fault.New(fault.Corrupt, "The compressed file is damaged at its start.", err)
	}
	l := newLister(ctx, in)
	inner := bufio.NewReaderSize(r, 64<<10)
	if head, _ := inner.Peek(512); isTar(head) {
		g := &guard{r: inner, packed: in.Size, left: &l.left}
		err := l.tar(g)
		if err == nil {
			l.warnCut(g, "The archive")
		}
		return l.finish(err)
	}
	if name == "" {
		name = innerName(in.Name)
	}
	return l.finish(l.add(children.Child{Name: name, Content: inner}, in.Size))
}

// innerName is the name without the extension of the compression: "report.csv.gz" holds "report.csv".
func innerName(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	lower := strings.ToLower(base)
	for _, ext := range []string{".gz", ".bz2", ".xz", ".zst"} {
		if strings.HasSuffix(lower, ext) && len(base) > len(ext) {
			return base[:len(base)-len(ext)]
		}
	}
	if base == "" || base == "." || base == "/" {
		return "content"
	}
	return base + ".unpacked"
}
