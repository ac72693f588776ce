package archive_test

import (
	"testing"

	"decant/handler/internal/format/archive"
	"decant/handler/internal/format/formattest"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, archive.Zip(), "a.zip",
		"PK\x05\x06",
	)
}

func FuzzTar(f *testing.F) { formattest.Fuzz(f, archive.Tar(), "a.tar") }

func FuzzPacked(f *testing.F) {
	formattest.Fuzz(f, archive.Packed(), "a.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x04\x00\x43\xbe\xb7\xe8\x01\x00\x00\x00", "BZh9", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd")
}

func FuzzSevenZip(f *testing.F) { formattest.Fuzz(f, archive.SevenZip(), "a.7z", "7z\xbc\xaf\x27\x1c") }
