package charset

import (
	"encoding/base64"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// utf7 is UTF-7 (RFC 2152), which only old mails use. It decodes; it does not encode.
type utf7 struct{}

func (utf7) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: utf7Decoder{}}
}

func (utf7) NewEncoder() *encoding.Encoder { return encoding.Nop.NewEncoder() }

type utf7Decoder struct{ transform.NopResetter }

func (utf7Decoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		text, used := utf7Step(src[nSrc:], atEOF)
		if used == 0 {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if nDst+len(text) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], text)
		nSrc += used
	}
	return nDst, nSrc, nil
}

// maxUTF7Shift bounds one base64 run, so that a run always fits the transform's buffers; longer ones are cut at a character.
const maxUTF7Shift = 1024

// utf7Step decodes one direct character or one shifted run. used 0 asks for more input.
func utf7Step(src []byte, atEOF bool) (text []byte, used int) {
	if src[0] != '+' {
		if src[0] >= utf8.RuneSelf {
			return []byte("\uFFFD"), 1
		}
		return src[:1], 1
	}
	end := 1
	for end < len(src) && end <= maxUTF7Shift && isBase64(src[end]) {
		end++
	}
	if end == len(src) && !atEOF && end <= maxUTF7Shift {
		return nil, 0
	}
	used = end
	if end < len(src) && src[end] == '-' {
		used++
	}
	if end == 1 {
		return []byte("+"), used
	}
	raw, _ := base64.RawStdEncoding.DecodeString(string(src[1 : 1+(end-1)/8*8+evenRest((end-1)%8)]))
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return []byte(string(utf16.Decode(units))), used
}

// evenRest gives the largest length up to n that base64 without padding can have.
func evenRest(n int) int {
	if n%4 == 1 {
		return n - 1
	}
	return n
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}
