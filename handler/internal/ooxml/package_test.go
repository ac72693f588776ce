package ooxml_test

import (
	"archive/zip"
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
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

// compound makes a compound file with the given streams, each in sectors of its own.
func compound(streams map[string][]byte) []byte {
	const sector = 512
	le := binary.LittleEndian
	names := slices.Sorted(maps.Keys(streams))
	fat := []uint32{0xFFFFFFFD, 0xFFFFFFFE} // the table itself, the directory
	var body []byte
	directory := make([]byte, sector)
	entry := func(at int, name string, kind byte, right, child, start uint32, size int) {
		e := directory[at*128:]
		for i, unit := range utf16.Encode([]rune(name)) {
			le.PutUint16(e[2*i:], unit)
		}
		le.PutUint16(e[64:], uint16(2*len(name)+2))
		e[66], e[67] = kind, 1
		le.PutUint32(e[68:], 0xFFFFFFFF)
		le.PutUint32(e[72:], right)
		le.PutUint32(e[76:], child)
		le.PutUint32(e[116:], start)
		le.PutUint64(e[120:], uint64(size))
	}
	entry(0, "Root Entry", 5, 0xFFFFFFFF, 1, 0xFFFFFFFE, 0)
	for i, name := range names {
		right := uint32(0xFFFFFFFF)
		if i+1 < len(names) {
			right = uint32(i + 2)
		}
		data := append(slices.Clone(streams[name]), make([]byte, (sector-len(streams[name])%sector)%sector)...)
		start := len(fat)
		for n := range len(data) / sector {
			fat = append(fat, uint32(start+n+1))
		}
		if len(data) > 0 {
			fat[len(fat)-1] = 0xFFFFFFFE
		}
		entry(i+1, name, 2, right, 0xFFFFFFFF, uint32(start), len(streams[name]))
		body = append(body, data...)
	}
	header := make([]byte, sector)
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	le.PutUint16(header[26:], 3)
	le.PutUint16(header[28:], 0xFFFE)
	le.PutUint16(header[30:], 9)
	le.PutUint16(header[32:], 6)
	le.PutUint32(header[44:], 1) // one sector of the allocation table
	le.PutUint32(header[48:], 1) // the directory
	le.PutUint32(header[56:], 4096)
	le.PutUint32(header[60:], 0xFFFFFFFE)
	le.PutUint32(header[68:], 0xFFFFFFFE)
	for i := range 109 {
		le.PutUint32(header[76+4*i:], 0xFFFFFFFF)
	}
	le.PutUint32(header[76:], 0)
	table := bytes.Repeat([]byte{0xFF}, sector)
	for i, next := range fat {
		le.PutUint32(table[4*i:], next)
	}
	return slices.Concat(header, table, directory, body)
}

// seal encrypts a package as Office does (agile encryption, AES-256, SHA-512), with few rounds.
func seal(t *testing.T, plain []byte, password string) []byte {
	t.Helper()
	salt, secret, input := []byte("0123456789abcdef"), []byte("a secret key of thirty-two bytes"), []byte("sixteen byte in!")
	hash := func(parts ...[]byte) []byte { sum := sha512.Sum512(slices.Concat(parts...)); return sum[:] }
	var key []byte
	for _, unit := range utf16.Encode([]rune(password)) {
		key = binary.LittleEndian.AppendUint16(key, unit)
	}
	key = hash(salt, key)
	for i := range uint32(10) {
		key = hash(binary.LittleEndian.AppendUint32(nil, i), key)
	}
	encode := func(key, vector, data []byte) []byte {
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		data = append(bytes.Clone(data), make([]byte, (16-len(data)%16)%16)...)
		cipher.NewCBCEncrypter(block, vector[:16]).CryptBlocks(data, data)
		return data
	}
	under := func(data []byte, purpose string) string {
		return base64.StdEncoding.EncodeToString(encode(hash(key, []byte(purpose))[:32], salt, data))
	}
	common := fmt.Sprintf(`saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="%s"`, base64.StdEncoding.EncodeToString(salt))
	info := []byte("\x04\x00\x04\x00\x40\x00\x00\x00" + fmt.Sprintf(`<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption"><keyData %s/><keyEncryptors><keyEncryptor><p:encryptedKey xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password" spinCount="10" %s encryptedVerifierHashInput="%s" encryptedVerifierHashValue="%s" encryptedKeyValue="%s"/></keyEncryptor></keyEncryptors></encryption>`,
		common, common, under(input, "\xfe\xa7\xd2\x76\x3b\x4b\x9e\x79"), under(hash(input), "\xd7\xaa\x0f\x6d\x30\x61\x34\x4e"), under(secret, "\x14\x6e\x0b\xe7\xab\xac\xd0\xd6")))
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(plain)))
	for i := 0; i*4096 < len(plain); i++ {
		vector := hash(salt, binary.LittleEndian.AppendUint32(nil, uint32(i)))
		data = append(data, encode(secret, vector, plain[i*4096:min(len(plain), (i+1)*4096)])...)
	}
	pad := func(b []byte) []byte { return append(b, bytes.Repeat([]byte(" "), max(0, 4096-len(b)))...) }
	return compound(map[string][]byte{"EncryptionInfo": pad(info), "EncryptedPackage": pad(data)})
}

func TestPassword(t *testing.T) {
	inner := pack(t, map[string]string{"word/document.xml": "<w:document/>" + strings.Repeat("<!-- more than one segment -->", 10), "noise": string(noise(9000))})
	plain, err := io.ReadAll(inner.Reader())
	if err != nil {
		t.Fatal(err)
	}
	in := input(seal(t, plain, "pässword"))
	in.Options.Password = "pässword"
	p, err := ooxml.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Bytes("noise", 0); err != nil || !bytes.Equal(got, noise(9000)) {
		t.Errorf("content differs: %d bytes, %v", len(got), err)
	}
	var m doc.Metadata
	if p.Properties(&m); !m.Encrypted {
		t.Error("Metadata.Encrypted = false")
	}
	for _, wrong := range []string{"", "wrong"} {
		in.Options.Password = wrong
		if _, err := ooxml.Open(in); fault.KindOf(err) != fault.Encrypted {
			t.Errorf("Open with password %q: %v, want %v", wrong, err, fault.Encrypted)
		}
	}
}

// noise are bytes that do not pack.
func noise(n int) []byte {
	out := make([]byte, n)
	state := uint32(1)
	for i := range out {
		state = state*1664525 + 1013904223
		out[i] = byte(state >> 24)
	}
	return out
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want fault.Kind
	}{
		{"empty", nil, fault.Empty},
		{"no zip", []byte("hello, this is no zip"), fault.Corrupt},
		{"password-protected", compound(map[string][]byte{"EncryptedPackage": nil}), fault.Encrypted},
		{"old binary file", compound(map[string][]byte{"WordDocument": nil}), fault.Unsupported},
		{"compound file cut off", compound(map[string][]byte{"x": nil})[:300], fault.Corrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ooxml.Open(input(tt.data)); fault.KindOf(err) != tt.want {
				t.Errorf("Open = %v, want %v", err, tt.want)
			}
		})
	}
}
