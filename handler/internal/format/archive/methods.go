package archive

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// Methods of packing a member of a zip archive beside Store and Deflate (APPNOTE 4.4.5).
const (
	methodDeflate64 = 9
	methodBzip2     = 12
	methodLZMA      = 14
	methodZstd      = 93
	methodXZ        = 95
)

// maxDictionary is the memory that unpacking one member may take for what it looks back at, in bytes.
const maxDictionary = 64 << 20

func methodName(method uint16) string {
	if method == methodDeflate64 {
		return "Deflate64"
	}
	return fmt.Sprintf("method %d", method)
}

// registerMethods makes z unpack the methods that need nothing but the packed bytes.
func registerMethods(z *zip.Reader) {
	z.RegisterDecompressor(methodBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(methodZstd, func(r io.Reader) io.ReadCloser {
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*maxDictionary))
		if err != nil {
			return io.NopCloser(failing{err})
		}
		return d.IOReadCloser()
	})
	z.RegisterDecompressor(methodXZ, func(r io.Reader) io.ReadCloser {
		x, err := xz.ReaderConfig{DictCap: maxDictionary}.NewReader(r)
		if err != nil {
			return io.NopCloser(failing{err})
		}
		return io.NopCloser(x)
	})
}

// failing is a reader of a stream that cannot be opened.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// openMember opens a member by any method. LZMA needs the size that the directory tells.
func openMember(f *zip.File) (io.ReadCloser, error) {
	if f.Method != methodLZMA {
		return f.Open()
	}
	raw, err := f.OpenRaw()
	if err != nil {
		return nil, err
	}
	// Two bytes of version, two of the properties' size, then the properties (APPNOTE 5.8.8); the usual header has the size behind them.
	head := make([]byte, 9)
	if _, err := io.ReadFull(raw, head); err != nil || binary.LittleEndian.Uint16(head[2:]) != 5 {
		return nil, zip.ErrFormat
	}
	usual := binary.LittleEndian.AppendUint64(bytes.Clone(head[4:]), f.UncompressedSize64)
	if dictionary := binary.LittleEndian.Uint32(head[5:]); dictionary > maxDictionary {
		return nil, zip.ErrAlgorithm
	}
	r, err := lzma.ReaderConfig{DictCap: maxDictionary}.NewReader(io.MultiReader(bytes.NewReader(usual), raw))
	if err != nil {
		return nil, err
	}
	return io.NopCloser(r), nil
}
