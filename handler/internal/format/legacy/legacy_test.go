package legacy_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/all"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/legacy"
)

// TestFoundByContent: names do not matter, and other formats keep their own.
func TestFoundByContent(t *testing.T) {
	tests := map[string]struct {
		data []byte
		name string
		want format.Name
	}{
		"Word 97":              {file(t, "letter.doc"), "upload.bin", "doc"},
		"Excel 97":             {file(t, "prices.xls"), "prices.doc", "xls"},
		"Excel 4, no package":  {[]byte("\x09\x04\x06\x00\x00\x00\x10\x00"), "x.xls", "xls"},
		"WordPerfect":          {[]byte("\xffWPC\x10\x00\x00\x00\x01\x0a\x02\x01"), "x", "wpd"},
		"WordPerfect graphics": {[]byte("\xffWPC\x10\x00\x00\x00\x01\x16\x02\x01"), "x.wpg", ""},
		"Excel binary":         {packed(t, "[Content_Types].xml", "<Types/>", "xl/workbook.bin", "x"), "x.xlsx", "xlsb"},
		"StarOffice":           {packed(t, "mimetype", "application/vnd.sun.xml.calc", "content.xml", "<x/>"), "x", "sxc"},
		"Pages":                {packed(t, "Index/Document.iwa", "x", "Metadata/Properties.plist", "x"), "x.zip", "pages"},
		"Pages with tables":    {packed(t, "Index/Document.iwa", "x", "Index/CalculationEngine.iwa", "x"), "x.pages", "pages"},
		"Numbers":              {packed(t, "Index/Document.iwa", "x", "Index/CalculationEngine.iwa", "x"), "x", "numbers"},
		"Keynote":              {packed(t, "Index/Document.iwa", "x", "Index/Slide-12.iwa", "x"), "x", "key"},
		"Pages of 2009":        {packed(t, "index.xml", `<?xml version="1.0"?><sl:document xmlns:sl="http://developer.apple.com/namespaces/sl">`), "x", "pages"},
		"zip":                  {packed(t, "a.txt", "x"), "x.pages", "zip"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found, err := format.Detect(all.Formats(all.Options{}), formattest.Head(t, tt.name, tt.data))
			if found.Format.Name != tt.want {
				t.Errorf("found %q (%v), want %q", found.Format.Name, err, tt.want)
			}
		})
	}
}

// TestWithoutConverter: the fault says what to install, and that a converter could mend it.
func TestWithoutConverter(t *testing.T) {
	in, _ := formattest.Input("letter.doc", file(t, "letter.doc"))
	_, err := find("doc").Parse(t.Context(), in)
	if fault.KindOf(err) != fault.Unsupported || !errors.Is(err, format.ErrOutside) || !strings.Contains(err.Error(), "apt-get install libreoffice-writer-nogui") {
		t.Errorf("Parse = %v", err)
	}
}

// TestEncrypted: the flag in a Word file is enough to say no, that in a workbook may mean a password that everybody knows.
func TestEncrypted(t *testing.T) {
	word := file(t, "letter.doc")
	at := bytes.Index(word, []byte{0xec, 0xa5}) // the start of the FIB
	word[at+0x0b] |= 0x01
	in, _ := formattest.Input("letter.doc", word)
	if _, err := find("doc").Parse(t.Context(), in); fault.KindOf(err) != fault.Encrypted || errors.Is(err, format.ErrOutside) {
		t.Errorf("Word: %v", err)
	}
	book := file(t, "prices.xls")
	at = bytes.Index(book, []byte{0x09, 0x08, 0x10, 0x00}) + 20 // the record after the first
	book[at], book[at+1] = 0x2f, 0
	in, _ = formattest.Input("prices.xls", book)
	if _, err := find("xls").Parse(t.Context(), in); !errors.Is(err, format.ErrOutside) || !errors.Is(err, format.ErrProtected) {
		t.Errorf("Excel: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, find("doc"), "x.doc", string(file(f, "letter.doc")))
}

func find(name format.Name) format.Format {
	for _, f := range legacy.Formats() {
		if f.Name == name {
			return f
		}
	}
	panic(name)
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// packed makes a zip of names and contents.
func packed(t testing.TB, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
