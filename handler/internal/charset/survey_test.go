package charset_test

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"decant/handler/internal/charset"
)

// TestSurvey holds that the encoding of a text is found although what gives it away stands far behind its start.
func TestSurvey(t *testing.T) {
	long := strings.Repeat("plain lines of letters\n", 20_000)
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(long + "grün\n")
	if err != nil {
		t.Fatal(err)
	}
	cp1252, err := charmap.Windows1252.NewEncoder().String(long + strings.Repeat("Müller fährt über die Brücke, größer als je für möglich gehalten\n", 40))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, raw, encoding, end string }{
		{"plain", long, "utf-8", "letters\n"},
		{"UTF-8 at the end", long + "é\n", "utf-8", "é\n"},
		{"a character across the border of blocks", strings.Repeat("x", 65_535) + "é" + long, "utf-8", "letters\n"},
		{"byte order mark", "\xef\xbb\xbf" + long, "utf-8", "letters\n"},
		{"UTF-16", utf16, "utf-16le", "grün\n"},
		{"windows-1252 at the end", cp1252, "windows-1252", "gehalten\n"},
		{"a broken byte in UTF-8", long + "é é é é é é é é é é \xff\n", "utf-8", "\uFFFD\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := charset.Survey(strings.NewReader(tt.raw))
			if err != nil || text.Name != tt.encoding {
				t.Fatalf("%+v, %v; want %s", text, err, tt.encoding)
			}
			r, err := text.Reader(strings.NewReader(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !strings.HasSuffix(string(got), tt.end) || strings.HasPrefix(string(got), "\uFEFF") {
				t.Errorf("ends with %q, %v; want %q", string(got[max(0, len(got)-20):]), err, tt.end)
			}
		})
	}
}
