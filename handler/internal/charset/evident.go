package charset

import (
	"slices"
	"strings"
)

// bom finds a byte order mark and its size in bytes.
func bom(raw string) (string, int) {
	switch {
	case strings.HasPrefix(raw, "\xEF\xBB\xBF"):
		return "utf-8", 3
	case strings.HasPrefix(raw, "\xFF\xFE\x00\x00"):
		return "utf-32le", 4
	case strings.HasPrefix(raw, "\x00\x00\xFE\xFF"):
		return "utf-32be", 4
	case strings.HasPrefix(raw, "\xFF\xFE"):
		return "utf-16le", 2
	case strings.HasPrefix(raw, "\xFE\xFF"):
		return "utf-16be", 2
	case strings.HasPrefix(raw, "\x2B\x2F\x76\x38"):
		return "utf-7", 4
	}
	return "", 0
}

// zeroPattern recognizes UTF-16 and UTF-32 without a mark: in texts of any language with spaces, line ends or digits,
// the high bytes of these are zero and stand always on the same side.
func zeroPattern(raw string) string {
	window := raw[:min(len(raw), 1<<16)]
	if len(window) < 4 || strings.IndexByte(window, 0) < 0 {
		return ""
	}
	var zeros [4]int
	for i := range len(window) {
		if window[i] == 0 {
			zeros[i%4]++
		}
	}
	quarter := len(window) / 4
	many := func(n int) bool { return n*10 >= quarter*9 }
	even, odd := zeros[0]+zeros[2], zeros[1]+zeros[3]
	if (even+odd)*10 < len(window)*3 && isPlain(window) {
		return "" // a few stray zero bytes in ASCII: in UTF-16, every other byte would be zero
	}
	switch {
	case many(zeros[0]) && many(zeros[1]) && zeros[3] == 0:
		return "utf-32be"
	case many(zeros[2]) && many(zeros[3]) && zeros[0] == 0:
		return "utf-32le"
	case odd >= quarter/5 && even*20 <= odd:
		return "utf-16le"
	case even >= quarter/5 && odd*20 <= even:
		return "utf-16be"
	}
	return ""
}

// isPlain tells whether all bytes but zero bytes are ASCII as texts have it.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7F || c < 0x20 && c != 0 && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

// escapes recognizes the encodings that use ASCII bytes only: ISO-2022-JP by its escapes, UTF-7 and HZ only when declared.
func escapes(raw string, declared []string) string {
	for _, escape := range []string{"\x1b$B", "\x1b$@", "\x1b(J", "\x1b(I"} {
		if strings.Contains(raw, escape) {
			return "iso-2022-jp"
		}
	}
	for _, label := range declared {
		name, _, ok := Lookup(label)
		if ok && slices.Contains([]string{"utf-7", "hz-gb-2312", "iso-2022-jp"}, name) && isASCII(raw) {
			return name
		}
	}
	return ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
