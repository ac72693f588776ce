package mail

import (
	"encoding/base64"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/lazyregexp"
)

// encodedWord is RFC 2047's =?charset?encoding?text?=, with the spaces inside that some mailers leave.
var encodedWord = lazyregexp.New(`=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=`)

// DecodeWords decodes the encoded words of a header value. Neighbours in one encoding are joined as bytes before they are decoded,
// because mailers cut characters apart.
func DecodeWords(value string) string {
	found := encodedWord.FindAllStringSubmatchIndex(value, -1)
	if found == nil {
		return strings.TrimSpace(plainText(value))
	}
	var out strings.Builder
	pending, pendingCharset := "", ""
	flush := func() {
		out.WriteString(charset.Decode(pending, pendingCharset).String)
		pending = ""
	}
	end := 0
	for _, m := range found {
		between := value[end:m[0]]
		name, _, _ := strings.Cut(value[m[2]:m[3]], "*") // RFC 2231: charset*language
		if strings.TrimSpace(between) != "" || end == 0 || !strings.EqualFold(name, pendingCharset) {
			flush()
			if strings.TrimSpace(between) != "" || end == 0 {
				out.WriteString(plainText(between))
			}
		}
		pending += decodeWord(value[m[4]:m[5]], value[m[6]:m[7]])
		pendingCharset = name
		end = m[1]
	}
	flush()
	out.WriteString(plainText(value[end:]))
	return strings.Join(strings.Fields(out.String()), " ")
}

func decodeWord(encoding, text string) string {
	if strings.EqualFold(encoding, "b") {
		text = strings.Map(func(r rune) rune {
			if r == '=' || r == ' ' {
				return -1
			}
			return r
		}, text)
		raw, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil && len(raw) == 0 {
			return text
		}
		return string(raw)
	}
	return unquote(strings.ReplaceAll(text, "_", " "), '=')
}

// unquote replaces =XX, or %XX, by its byte. What is no valid pair stays.
func unquote(text string, sign byte) string {
	if strings.IndexByte(text, sign) < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == sign && i+2 < len(text) {
			high, low := hexDigit(text[i+1]), hexDigit(text[i+2])
			if high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return string(out)
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
