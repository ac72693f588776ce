package ooxml_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/ooxml"
)

func input(data []byte) *format.Input {
	return &format.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
}

func pack(t *testing.T, parts map[string]string) *format.Input {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return input(b.Bytes())
}

func TestPackage(t *testing.T) {
	p, err := ooxml.Open(pack(t, map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="text/xml"/><Override PartName="/word/main.xml" ContentType="x/main"/></Types>`,
		"_rels/.rels":         `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://x/officeDocument" Target="/word/main.xml"/><Relationship Id="b" Type="http://x/core-properties" Target="docProps/core.xml"/></Relationships>`,
		"word/_rels/main.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
			<Relationship Id="r1" Type="http://x/image" Target="../media/a%20b.png"/>
			<Relationship Id="r2" Type="http://x/hyperlink" Target="http://x.org/a#b" TargetMode="External"/></Relationships>`,
		"word/main.xml": `<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body w:rsidR="00"/></w:document>`,
		"docProps/core.xml": `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
			<dc:title>Plan</dc:title><dc:creator>Ann; Bob</dc:creator><cp:keywords>one, two</cp:keywords><dcterms:created>2026-01-02T03:04:05Z</dcterms:created></cp:coreProperties>`,
		"media/a b.png": "png",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Main(); got != "word/main.xml" {
		t.Errorf("Main() = %q", got)
	}
	if got := p.ContentType("word/main.xml") + " " + p.ContentType("docProps/core.xml"); got != "x/main text/xml" {
		t.Errorf("ContentType = %q", got)
	}
	want := ooxml.Relationships{"r1": {ID: "r1", Type: "image", Target: "media/a b.png"}, "r2": {ID: "r2", Type: "hyperlink", Target: "http://x.org/a#b", External: true}}
	if diff := cmp.Diff(want, p.Rels("word/main.xml")); diff != "" {
		t.Error(diff)
	}
	root, err := p.Tree("word/main.xml")
	if err != nil || root.Name != "w:document" || len(root.Children[0].Attrs) != 0 {
		t.Errorf("Tree = %+v, %v", root, err)
	}
	var m doc.Metadata
	p.Properties(&m)
	if diff := cmp.Diff([]string{"Plan", "2026-01-02T03:04:05Z"}, []string{m.Title, m.Created}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Ann", "Bob", "one", "two"}, append(m.Authors, m.Keywords...)); diff != "" {
		t.Error(diff)
	}
}

// compound makes the smallest compound file whose directory has one stream of that name.
func compound(name string) []byte {
	file := make([]byte, 512*3)
	copy(file, []byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1})
	binary.LittleEndian.PutUint16(file[30:], 9)
	binary.LittleEndian.PutUint32(file[48:], 1) // the directory is in sector 1
	binary.LittleEndian.PutUint32(file[76:], 0) // the allocation table in sector 0
	binary.LittleEndian.PutUint32(file[512+4:], 0xFFFFFFFE)
	units := utf16.Encode([]rune(name))
	for i, unit := range units {
		binary.LittleEndian.PutUint16(file[1024+2*i:], unit)
	}
	binary.LittleEndian.PutUint16(file[1024+64:], uint16(2*len(units)+2))
	return file
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want fault.Kind
	}{
		{"empty", nil, fault.Empty},
		{"no zip", []byte("hello, this is no zip"), fault.Corrupt},
		{"password-protected", compound("EncryptedPackage"), fault.Encrypted},
		{"old binary file", compound("WordDocument"), fault.Unsupported},
		{"compound file cut off", compound("x")[:600], fault.Unsupported},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ooxml.Open(input(tt.data)); fault.KindOf(err) != tt.want {
				t.Errorf("Open = %v, want %v", err, tt.want)
			}
		})
	}
}
