package odf

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/crypto/blowfish" //nolint:staticcheck // old files are encrypted with it

	"decant/handler/internal/fault"
	"decant/handler/internal/xmltree"
	"decant/handler/internal/zipfile"
)

// Limits of what a file may ask for: LibreOffice writes 100,000 iterations and one key for each part.
const (
	maxIterations = 10_000_000 // over all parts
	maxEncrypted  = 512 << 20  // bytes of one part
)

var (
	errPassword = errors.New("the checksum does not agree")
	errScheme   = errors.New("unknown encryption")
)

// secret is the encryption-data of a part (OpenDocument 1.2 part 3, 4.8): deflated, then encrypted.
type secret struct {
	algorithm, derivation, startKey, checksumType string
	vector, salt, checksum                        []byte
	iterations, keySize                           int
}

func readSecret(n *xmltree.Node) (*secret, error) {
	algorithm, derivation := n.Child("manifest:algorithm"), n.Child("manifest:key-derivation")
	s := &secret{
		algorithm: strings.ToLower(algorithm.Attr("manifest:algorithm-name")), derivation: derivation.Attr("manifest:key-derivation-name"),
		startKey:     n.Child("manifest:start-key-generation").Attr("manifest:start-key-generation-name"),
		checksumType: strings.ToLower(n.Attr("manifest:checksum-type")), keySize: 16,
	}
	var errs [4]error
	s.vector, errs[0] = base64.StdEncoding.DecodeString(algorithm.Attr("manifest:initialisation-vector"))
	s.salt, errs[1] = base64.StdEncoding.DecodeString(derivation.Attr("manifest:salt"))
	s.checksum, errs[2] = base64.StdEncoding.DecodeString(n.Attr("manifest:checksum"))
	s.iterations, errs[3] = strconv.Atoi(derivation.Attr("manifest:iteration-count"))
	if size, err := strconv.Atoi(derivation.Attr("manifest:key-size")); err == nil {
		s.keySize = size
	}
	if err := errors.Join(errs[:]...); err != nil || s.iterations < 1 || s.keySize < 5 || s.keySize > 64 || !strings.HasSuffix(s.derivation, "PBKDF2") && !strings.HasSuffix(strings.ToLower(s.derivation), "pbkdf2") {
		return nil, errScheme
	}
	return s, nil
}

// key derives the part's key: PBKDF2 with HMAC-SHA1 of the hash of the password.
func (s *secret) key(password string) ([]byte, error) {
	start := sha1.Sum([]byte(password))
	seed := start[:]
	if strings.HasSuffix(s.startKey, "sha256") {
		strong := sha256.Sum256([]byte(password))
		seed = strong[:]
	}
	return pbkdf2.Key(sha1.New, string(seed), s.salt, s.iterations, s.keySize)
}

// open decrypts a part and inflates it; errPassword when the checksum of the deflated bytes does not agree.
func (s *secret) open(data []byte, password string, limit int64) ([]byte, error) {
	key, err := s.key(password)
	if err != nil {
		return nil, errScheme
	}
	var plain []byte
	switch {
	case strings.HasSuffix(s.algorithm, "-cbc") && strings.Contains(s.algorithm, "aes"):
		plain, err = openCBC(key, s.vector, data)
	case strings.HasPrefix(s.algorithm, "blowfish"), strings.Contains(s.algorithm, "#blowfish"):
		plain, err = openCFB(key, s.vector, data)
	default:
		return nil, errScheme
	}
	if err != nil {
		return nil, err
	}
	if !s.agrees(plain) {
		return nil, errPassword
	}
	inflated, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(plain)), limit))
	if len(inflated) == 0 && err != nil {
		return nil, errPassword
	}
	return inflated, nil
}

// agrees checks the checksum of the first kilobyte, or of all.
func (s *secret) agrees(plain []byte) bool {
	h := sha1.New()
	if strings.Contains(s.checksumType, "sha256") {
		h = sha256.New()
	}
	if strings.HasSuffix(s.checksumType, "1k") {
		plain = plain[:min(len(plain), 1024)]
	}
	h.Write(plain)
	return subtle.ConstantTimeCompare(h.Sum(nil), s.checksum) == 1
}

// openCBC decrypts AES in CBC mode with the padding of XML Encryption: the last byte says how many bytes are padding.
func openCBC(key, vector, data []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil || len(vector) != block.BlockSize() || len(data) == 0 || len(data)%block.BlockSize() != 0 {
		return nil, errScheme
	}
	plain := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, vector).CryptBlocks(plain, data)
	padding := int(plain[len(plain)-1])
	if padding < 1 || padding > block.BlockSize() {
		return nil, errPassword
	}
	return plain[:len(plain)-padding], nil
}

// openCFB decrypts Blowfish in 64-bit CFB mode, as OpenOffice and older LibreOffice write it.
func openCFB(key, vector, data []byte) ([]byte, error) {
	block, err := blowfish.NewCipher(key)
	if err != nil || len(vector) != block.BlockSize() {
		return nil, errScheme
	}
	plain, before, stream := make([]byte, len(data)), vector, make([]byte, block.BlockSize())
	for i := 0; i < len(data); i += block.BlockSize() {
		end := min(len(data), i+block.BlockSize())
		block.Encrypt(stream, before)
		subtle.XORBytes(plain[i:end], data[i:end], stream)
		before = data[i:end]
	}
	return plain, nil
}

// decrypt makes a package without encryption of one with it, in memory.
func (p *Package) decrypt(manifest *xmltree.Node) (*zipfile.Archive, error) {
	password := p.in.Options.Password
	if password == "" {
		return nil, fault.New(fault.Encrypted, "", nil)
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	left := int64(maxIterations)
	for _, entry := range manifest.All("manifest:file-entry") {
		name := entry.Attr("manifest:full-path")
		if !p.zip.Has(name) || strings.HasSuffix(name, "/") {
			continue
		}
		data, err := p.zip.ReadAll(name, maxEncrypted)
		if err != nil {
			return nil, err
		}
		if n := entry.Child("manifest:encryption-data"); n != nil {
			if data, err = openPart(n, data, password, &left, p.in.Limits.Unpack); err != nil {
				return nil, encryptedFault(name, err)
			}
		}
		if err := addMember(z, name, data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return zipfile.Open(bytes.NewReader(packed.Bytes()), int64(packed.Len()), p.in.Limits.Unpack)
}

func openPart(n *xmltree.Node, data []byte, password string, left *int64, unpack int64) ([]byte, error) {
	s, err := readSecret(n)
	if err != nil {
		return nil, err
	}
	if *left -= int64(s.iterations); *left < 0 {
		return nil, errScheme
	}
	if unpack <= 0 {
		unpack = maxEncrypted
	}
	return s.open(data, password, unpack)
}

func addMember(z *zip.Writer, name string, data []byte) error {
	w, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func encryptedFault(name string, err error) error {
	cause := fmt.Errorf("open %s: %w", name, err)
	if errors.Is(err, errPassword) {
		return fault.New(fault.Encrypted, "The password does not open the document. Give the right one with --password, or remove the protection.", cause)
	}
	return fault.New(fault.Encrypted, "The document is protected in a way that decant does not read. Save it without a password, or with the encryption of OpenDocument 1.2.", cause)
}
