package ooxml

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"io"
	"strings"
	"unicode/utf16"

	"decant/handler/internal/xmltree"
)

// Limits of encryption parameters.
const (
	maxSpin     = 10_000_000 // rounds of hashing; Office uses 100,000
	segmentSize = 4096       // bytes of the package under one initialization vector ([MS-OFFCRYPTO] 2.3.4.15)
)

// decrypt opens an encrypted package. ok is false for a wrong password and for an encryption that is not known.
func decrypt(info, data []byte, password string) (r io.ReaderAt, size int64, ok bool) {
	if len(info) < 8 || len(data) < 8 {
		return nil, 0, false
	}
	size = int64(binary.LittleEndian.Uint64(data))
	data = data[8:]
	if size < 0 || size > int64(len(data)) {
		return nil, 0, false
	}
	var p *sealed
	switch major, minor := binary.LittleEndian.Uint16(info), binary.LittleEndian.Uint16(info[2:]); {
	case major == 4 && minor == 4:
		p = agile(info[8:], password)
	case minor == 2 && major >= 2 && major <= 4:
		p = standard(info[4:], password)
	}
	if p == nil {
		return nil, 0, false
	}
	p.data, p.size = data, size
	return p, size, true
}

// sealed is an encrypted package that is decrypted where it is read.
type sealed struct {
	data   []byte
	size   int64
	block  cipher.Block
	vector func(segment uint32) []byte // of a segment; nil for a code book (ECB)
}

// ReadAt decrypts the segments that cover p.
func (s *sealed) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at >= s.size {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && at < s.size {
		number := at / segmentSize
		plain := s.segment(uint32(number))
		end := min(int64(len(plain)), s.size-number*segmentSize)
		start := at - number*segmentSize
		if start >= end {
			break
		}
		copied := copy(p[n:], plain[start:end])
		n += copied
		at += int64(copied)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (s *sealed) segment(number uint32) []byte {
	start := min(int64(number)*segmentSize, int64(len(s.data)))
	end := min(start+segmentSize, int64(len(s.data)))
	size := s.block.BlockSize()
	coded := s.data[start : start+(end-start)/int64(size)*int64(size)]
	plain := make([]byte, len(coded))
	if s.vector != nil {
		cipher.NewCBCDecrypter(s.block, s.vector(number)).CryptBlocks(plain, coded)
		return plain
	}
	for i := 0; i+size <= len(coded); i += size {
		s.block.Decrypt(plain[i:], coded[i:])
	}
	return plain
}

func utf16Bytes(text string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}

func digest(newHash func() hash.Hash, parts ...[]byte) []byte {
	h := newHash()
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

// spin hashes the password many times ([MS-OFFCRYPTO] 2.3.4.7 and 2.3.4.11).
func spin(newHash func() hash.Hash, salt []byte, password string, rounds int) []byte {
	h := newHash()
	h.Write(salt)
	h.Write(utf16Bytes(password))
	sum := h.Sum(nil)
	var counter [4]byte
	for i := range rounds {
		binary.LittleEndian.PutUint32(counter[:], uint32(i))
		h.Reset()
		h.Write(counter[:])
		h.Write(sum)
		sum = h.Sum(sum[:0])
	}
	return sum
}

// fit cuts bytes to a size, or fills them up with 0x36.
func fit(data []byte, size int) []byte {
	if len(data) >= size {
		return data[:size]
	}
	return append(bytes.Clone(data), bytes.Repeat([]byte{0x36}, size-len(data))...)
}

// cipherInfo are the parameters that keyData and encryptedKey share.
type cipherInfo struct {
	salt     []byte
	keySize  int // bytes
	block    int // bytes
	hashSize int
	newHash  func() hash.Hash
}

func readCipher(n *xmltree.Node) (c cipherInfo, ok bool) {
	c.salt, _ = base64.StdEncoding.DecodeString(n.Attr("saltValue"))
	c.keySize, c.block, c.hashSize = number(n.Attr("keyBits"), 0)/8, number(n.Attr("blockSize"), 0), number(n.Attr("hashSize"), 0)
	hashes := map[string]func() hash.Hash{"SHA1": sha1.New, "SHA-1": sha1.New, "SHA256": sha256.New, "SHA384": sha512.New384, "SHA512": sha512.New}
	c.newHash = hashes[n.Attr("hashAlgorithm")]
	validKey := c.keySize == 16 || c.keySize == 24 || c.keySize == 32
	return c, c.newHash != nil && validKey && c.block == aes.BlockSize && len(c.salt) > 0 && n.Attr("cipherAlgorithm") == "AES" && n.Attr("cipherChaining") == "ChainingModeCBC"
}

// agile opens a package of agile encryption ([MS-OFFCRYPTO] 2.3.4.10), as Office has written it since 2010.
func agile(description []byte, password string) *sealed {
	root, _, err := xmltree.Parse(bytes.NewReader(description), xmltree.Options{MaxDepth: 20})
	if err != nil || root == nil {
		return nil
	}
	var keyNode *xmltree.Node
	root.Walk(func(n *xmltree.Node) bool {
		if strings.HasSuffix(n.Name, "encryptedKey") {
			keyNode = n
		}
		return true
	})
	data, dataOK := readCipher(root.Child("keyData"))
	key, keyOK := readCipher(keyNode)
	rounds := number(keyNode.Attr("spinCount"), -1)
	if !dataOK || !keyOK || rounds < 0 || rounds > maxSpin {
		return nil
	}
	sum := spin(key.newHash, key.salt, password, rounds)
	open := func(attr string, purpose ...byte) []byte {
		coded, _ := base64.StdEncoding.DecodeString(keyNode.Attr(attr))
		block, err := aes.NewCipher(fit(digest(key.newHash, sum, purpose), key.keySize))
		if err != nil || len(coded) == 0 || len(coded)%aes.BlockSize != 0 {
			return nil
		}
		cipher.NewCBCDecrypter(block, fit(key.salt, aes.BlockSize)).CryptBlocks(coded, coded)
		return coded
	}
	input := open("encryptedVerifierHashInput", 0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79)
	value := open("encryptedVerifierHashValue", 0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e)
	secret := open("encryptedKeyValue", 0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6)
	want := digest(key.newHash, input[:min(len(input), len(key.salt))])
	if len(value) < len(want) || len(secret) < data.keySize || subtle.ConstantTimeCompare(value[:len(want)], want) != 1 {
		return nil
	}
	block, err := aes.NewCipher(secret[:data.keySize])
	if err != nil {
		return nil
	}
	return &sealed{block: block, vector: func(segment uint32) []byte {
		return fit(digest(data.newHash, data.salt, binary.LittleEndian.AppendUint32(nil, segment)), aes.BlockSize)
	}}
}

// standard opens a package of standard encryption ([MS-OFFCRYPTO] 2.3.4.5), as Office 2007 wrote it.
func standard(info []byte, password string) *sealed {
	const rounds, saltSize, verifierSize, hashSize = 50_000, 16, 16, 32
	if len(info) < 8 {
		return nil
	}
	headerSize := int(binary.LittleEndian.Uint32(info[4:]))
	if headerSize < 20 || headerSize > 1024 || len(info) < 8+headerSize+4+saltSize+verifierSize+4+hashSize {
		return nil
	}
	header, rest := info[8:8+headerSize], info[8+headerSize+4:]
	keySize := int(binary.LittleEndian.Uint32(header[16:])) / 8
	if keySize != 16 && keySize != 24 && keySize != 32 {
		return nil
	}
	salt, verifier := rest[:saltSize], rest[saltSize:saltSize+verifierSize]
	coded := rest[saltSize+verifierSize+4 : saltSize+verifierSize+4+hashSize]
	sum := digest(sha1.New, spin(sha1.New, salt, password, rounds), make([]byte, 4))
	block, err := aes.NewCipher(standardKey(sum, keySize))
	if err != nil {
		return nil
	}
	s := &sealed{block: block, data: append(bytes.Clone(verifier), coded...)}
	plain := s.segment(0)
	want := digest(sha1.New, plain[:verifierSize])
	if subtle.ConstantTimeCompare(plain[verifierSize:verifierSize+len(want)], want) != 1 {
		return nil
	}
	return &sealed{block: block}
}

// standardKey stretches a hash to a key ([MS-OFFCRYPTO] 2.3.4.7).
func standardKey(sum []byte, size int) []byte {
	half := func(fill byte) []byte {
		pad := bytes.Repeat([]byte{fill}, 64)
		for i, c := range sum {
			pad[i] ^= c
		}
		return digest(sha1.New, pad)
	}
	return append(half(0x36), half(0x5c)...)[:size]
}
