package legacy

import (
	"encoding/binary"

	"decant/handler/internal/cfb"
	"decant/handler/internal/format"
)

// lockedWord reads fEncrypted of the FIB ([MS-DOC] 2.5.2).
func lockedWord(in *format.Input) lock {
	main := stream(in, "WordDocument")
	const flags, encrypted = 0x0a, 0x0100
	if len(main) > flags+1 && binary.LittleEndian.Uint16(main[flags:])&encrypted != 0 {
		return locked
	}
	return open
}

// lockedExcel looks for a FilePass record ([MS-XLS] 2.4.117) near the start. Excel encrypts workbooks that may only not be changed
// too, with a password that every program knows.
func lockedExcel(in *format.Input) lock {
	const filePass, lookAt = 0x2f, 64
	book := stream(in, "Workbook", "Book")
	for range lookAt {
		if len(book) < 4 {
			break
		}
		kind, size := binary.LittleEndian.Uint16(book), int(binary.LittleEndian.Uint16(book[2:]))
		if kind == filePass {
			return maybe
		}
		book = book[min(4+size, len(book)):]
	}
	return open
}

// lockedSlides: an encrypted presentation keeps its properties in a stream of their own ([MS-PPT] 2.1.2).
func lockedSlides(in *format.Input) lock {
	f, err := cfb.Open(in, in.Size)
	if err == nil && f.Root().Has("EncryptedSummary") {
		return locked
	}
	return open
}

// stream reads the first of the streams that is there; nil when none is or the file is damaged.
func stream(in *format.Input, names ...string) []byte {
	f, err := cfb.Open(in, in.Size)
	if err != nil {
		return nil
	}
	for _, name := range names {
		if data, _ := f.Root().Read(name); data != nil {
			return data
		}
	}
	return nil
}
