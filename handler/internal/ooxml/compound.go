package ooxml

import (
	"encoding/binary"
	"io"
	"slices"
	"unicode/utf16"

	"decant/handler/internal/fault"
)

// compoundMagic starts an OLE2 compound file ([MS-CFB] 2.2): an old Office file, or a new one that is encrypted.
var compoundMagic = []byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}

// compoundFault says why a compound file is no package that can be read.
func compoundFault(r io.ReaderAt, size int64) error {
	names := compoundNames(r, size)
	if slices.Contains(names, "EncryptedPackage") || slices.Contains(names, "EncryptionInfo") {
		return fault.New(fault.Encrypted, "The document is protected by a password. Remove the protection in the program that made it.", nil)
	}
	return fault.New(fault.Unsupported, "The file is an old binary Office file (before 2007) or another compound file. Save it in the current format (.docx, .xlsx, .pptx).", nil)
}

// compoundNames lists the names of the streams and storages, as far as the directory can be read ([MS-CFB] 2.6).
func compoundNames(r io.ReaderAt, size int64) []string {
	header := make([]byte, 512)
	if _, err := r.ReadAt(header, 0); err != nil {
		return nil
	}
	shift := binary.LittleEndian.Uint16(header[30:])
	if shift < 9 || shift > 12 {
		return nil
	}
	sector := int64(1) << shift
	block := make([]byte, sector)
	read := func(number uint32) bool {
		at := (int64(number) + 1) * sector
		if at >= size {
			return false
		}
		n, _ := r.ReadAt(block, at)
		clear(block[n:])
		return n > 0
	}
	// next follows the chain: the sector allocation table's own sectors are listed in the header.
	next := func(number uint32) uint32 {
		perSector := uint32(sector / 4)
		index := number / perSector
		if index >= 109 || !read(binary.LittleEndian.Uint32(header[76+4*index:])) {
			return endOfChain
		}
		return binary.LittleEndian.Uint32(block[4*(number%perSector):])
	}
	var names []string
	at := binary.LittleEndian.Uint32(header[48:])
	for range maxDirectorySectors {
		if at >= endOfChain || !read(at) {
			break
		}
		for entry := block; len(entry) >= 128; entry = entry[128:] {
			if name := entryName(entry); name != "" {
				names = append(names, name)
			}
		}
		at = next(at)
	}
	return names
}

const (
	endOfChain          = 0xFFFFFFFA // and above: no sector
	maxDirectorySectors = 1000
)

func entryName(entry []byte) string {
	size := int(binary.LittleEndian.Uint16(entry[64:]))
	if size < 2 || size > 64 {
		return ""
	}
	units := make([]uint16, 0, 32)
	for i := 0; i+1 < size-1; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(entry[i:]))
	}
	return string(utf16.Decode(units))
}
