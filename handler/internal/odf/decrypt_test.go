package odf_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/blowfish" //nolint:staticcheck // old files are encrypted with it

	"decant/handler/internal/fault"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/odt"
)

const body = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">` +
	`<office:body><office:text><text:h text:outline-level="1">Secret plans</text:h><text:p>The text.</text:p></office:text></office:body></office:document-content>`

func deflated(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sealAES encrypts as LibreOffice does since 3.5: SHA-256 of the password, PBKDF2, AES-256 in CBC mode.
func sealAES(t *testing.T, plain []byte, password string) (data []byte, words string) {
	t.Helper()
	salt, vector := []byte("0123456789abcdef"), []byte("fedcba9876543210")
	start := sha256.Sum256([]byte(password))
	key, err := pbkdf2.Key(sha1.New, string(start[:]), salt, 1000, 32)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	padding := 16 - len(plain)%16
	padded := append(bytes.Clone(plain), make([]byte, padding)...)
	padded[len(padded)-1] = byte(padding)
	cipher.NewCBCEncrypter(block, vector).CryptBlocks(padded, padded)
	sum := sha256.Sum256(plain[:min(1024, len(plain))])
	return padded, encryptionData("urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k", sum[:], "http://www.w3.org/2001/04/xmlenc#aes256-cbc", vector, salt,
		32, `<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/>`)
}

// sealBlowfish encrypts as OpenOffice does: SHA-1 of the password, PBKDF2, Blowfish in CFB mode.
func sealBlowfish(t *testing.T, plain []byte, password string) (data []byte, words string) {
	t.Helper()
	salt, vector := []byte("0123456789abcdef"), []byte("vectorv8")
	start := sha1.Sum([]byte(password))
	key, err := pbkdf2.Key(sha1.New, string(start[:]), salt, 1024, 16)
	if err != nil {
		t.Fatal(err)
	}
	block, err := blowfish.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	out, before, stream := make([]byte, len(plain)), vector, make([]byte, 8)
	for i := 0; i < len(plain); i += 8 {
		block.Encrypt(stream, before)
		end := min(len(plain), i+8)
		for j := i; j < end; j++ {
			out[j] = plain[j] ^ stream[j-i]
		}
		before = out[i:end]
	}
	sum := sha1.Sum(plain[:min(1024, len(plain))])
	return out, encryptionData("SHA1/1K", sum[:], "Blowfish CFB", vector, salt, 16, "")
}

func encryptionData(sumType string, sum []byte, algorithm string, vector, salt []byte, keySize int, more string) string {
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf(`<manifest:encryption-data manifest:checksum-type=%q manifest:checksum=%q><manifest:algorithm manifest:algorithm-name=%q manifest:initialisation-vector=%q/>`+
		`<manifest:key-derivation manifest:key-derivation-name="PBKDF2" manifest:key-size="%d" manifest:iteration-count="%d" manifest:salt=%q/>%s</manifest:encryption-data>`,
		sumType, b64(sum), algorithm, b64(vector), keySize, map[int]int{32: 1000, 16: 1024}[keySize], b64(salt), more)
}

func protected(t *testing.T, data []byte, words string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range []struct{ name, text string }{
		{"mimetype", "application/vnd.oasis.opendocument.text"},
		{"content.xml", string(data)},
		{"META-INF/manifest.xml", `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml" manifest:size="400">` + words + `</manifest:file-entry></manifest:manifest>`},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(m.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestProtected(t *testing.T) {
	plain := deflated(t, body)
	aesData, aesWords := sealAES(t, plain, "open sesame")
	fishData, fishWords := sealBlowfish(t, plain, "open sesame")
	for _, tt := range []struct {
		name           string
		file           []byte
		password, says string // says "" means that it opens
	}{
		{"AES", protected(t, aesData, aesWords), "open sesame", ""},
		{"Blowfish", protected(t, fishData, fishWords), "open sesame", ""},
		{"AES, no password", protected(t, aesData, aesWords), "", "password"},
		{"AES, wrong password", protected(t, aesData, aesWords), "open", "does not open"},
		{"Blowfish, wrong password", protected(t, fishData, fishWords), "open", "does not open"},
		{"an encryption that nobody knows", protected(t, aesData, strings.Replace(aesWords, "aes256-cbc", "rot13", 1)), "open sesame", "does not read"},
		{"iterations without end", protected(t, aesData, strings.Replace(aesWords, `"1000"`, `"2000000000"`, 1)), "open sesame", "does not read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, _ := formattest.Input("plans.odt", tt.file)
			in.Options.Password = tt.password
			d, err := odt.Format().Parse(t.Context(), in)
			if tt.says != "" {
				if fault.KindOf(err) != fault.Encrypted || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%v, want encrypted, and %q", err, tt.says)
				}
				return
			}
			if err != nil || len(d.Blocks) != 2 || d.Blocks[0].PlainText() != "Secret plans" || !d.Metadata.Encrypted {
				t.Errorf("%v, %+v", err, d)
			}
		})
	}
}
