package archive

import (
	"bytes"

	"decant/handler/internal/format"
)

// Zip describes zip archives. Office files and e-books are zips too; their formats score higher.
func Zip() format.Format {
	return format.Format{
		Name: "zip", Title: "Zip archive",
		Extensions: []string{".zip", ".jar", ".war"}, MediaTypes: []string{"application/zip", "application/x-zip-compressed"},
		Description: "members as documents of their own, names in any encoding, encrypted members named, bombs stopped",
		Match: func(h *format.Head) int {
			if h.HasPrefix("PK\x03\x04", "PK\x05\x06", "PK\x07\x08") {
				return 50
			}
			return 0
		},
		Parse: parseZip,
	}
}

// Tar describes tar archives, packed or not.
func Tar() format.Format {
	return format.Format{
		Name: "tar", Title: "Tar archive",
		Extensions: []string{".tar", ".tgz", ".tbz2", ".txz"}, MediaTypes: []string{"application/x-tar"},
		Description: "members as documents of their own; also inside gz, bz2, xz and zst",
		Match: func(h *format.Head) int {
			if isTar(h.Bytes) {
				return 95
			}
			return 0
		},
		Parse: parseTar,
	}
}

// Packed describes single files that are compressed. A tar archive inside is read in one go.
func Packed() format.Format {
	return format.Format{
		Name: "gz", Title: "Compressed file",
		Extensions: []string{".gz", ".bz2", ".xz", ".zst", ".tgz"}, MediaTypes: []string{"application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd"},
		Description: "gz, bz2, xz, zst: the file inside as a document of its own, a tar inside as an archive",
		Match: func(h *format.Head) int {
			if packing(h.Bytes) != nil {
				return 92
			}
			return 0
		},
		Parse: parsePacked,
	}
}

// SevenZip describes 7z archives.
func SevenZip() format.Format {
	return format.Format{
		Name: "7z", Title: "7-Zip archive",
		Extensions: []string{".7z"}, MediaTypes: []string{"application/x-7z-compressed"},
		Description: "members as documents of their own; opens with a password",
		Match: func(h *format.Head) int {
			if h.HasPrefix("7z\xbc\xaf\x27\x1c") {
				return format.Certain
			}
			return 0
		},
		Parse: parseSevenZip,
	}
}

// isTar looks for the magic of POSIX and GNU tar, or for a header whose checksum is right.
func isTar(head []byte) bool {
	if len(head) < 512 {
		return false
	}
	return bytes.HasPrefix(head[257:], []byte("ustar")) || oldTar(head[:512])
}

// oldTar checks the octal sum of a header block (the sum field itself counts as spaces).
func oldTar(block []byte) bool {
	sum := 0
	for i, c := range block {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int(c)
	}
	stored, digits := 0, 0
	for _, c := range block[148:156] {
		if c >= '0' && c <= '7' {
			stored, digits = stored*8+int(c-'0'), digits+1
		}
	}
	return digits >= 4 && stored == sum && block[0] != 0
}
