package format_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

var testFormats = []format.Format{
	{Name: "pdf", Extensions: []string{".pdf"}, Match: func(h *format.Head) int {
		if h.HasPrefix("%PDF-") {
			return format.Certain
		}
		return 0
	}},
	{Name: "docx", Extensions: []string{".docx"}, Match: func(h *format.Head) int {
		if h.HasMember("word/document.xml") {
			return format.Certain
		}
		return 0
	}},
	{Name: "csv", Extensions: []string{".csv"}, Match: func(h *format.Head) int {
		if strings.Contains(h.Text, ",") {
			return format.Plausible
		}
		return 0
	}},
	{Name: "text", Extensions: []string{".txt"}, Match: func(h *format.Head) int {
		if h.Text != "" {
			return format.Plausible
		}
		return 0
	}},
}

func detect(t *testing.T, name string, data []byte) (format.Detection, error) {
	t.Helper()
	h, err := format.ReadHead(bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		t.Fatal(err)
	}
	return format.Detect(testFormats, h)
}

func TestDetectBelievesTheContent(t *testing.T) {
	tests := []struct {
		name, file, content string
		want, nameSays      format.Name
	}{
		{"magic", "a.pdf", "%PDF-1.7", "pdf", ""},
		{"wrong extension is reported", "a.docx", "%PDF-1.7", "pdf", "docx"},
		{"unknown extension is not", "a.bin", "%PDF-1.7", "pdf", ""},
		{"the name decides between equals", "a.txt", "a,b", "text", ""},
		{"zip members", "x", string(zipOf(t, "word/document.xml")), "docx", ""},
		{"utf-16 is text", "a.csv", "\xff\xfea\x00,\x00b\x00", "csv", ""},
		{"Windows backslashes in the name", `C:\docs\a.TXT`, "a,b", "text", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := detect(t, tt.file, []byte(tt.content))
			if err != nil {
				t.Fatal(err)
			}
			if got.Format.Name != tt.want || got.NameSays != tt.nameSays {
				t.Errorf("Detect = %s (name says %q), want %s (%q)", got.Format.Name, got.NameSays, tt.want, tt.nameSays)
			}
		})
	}
}

func TestDetectRefusesWhatNobodyReads(t *testing.T) {
	_, err := detect(t, "core.dump", []byte("\x7fELF\x00\x00\x00\x01\x02\x00"))
	if fault.KindOf(err) != fault.Unsupported {
		t.Errorf("Detect = %v, want a fault of kind unsupported_format", err)
	}
}

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, n := range names {
		if _, err := z.Create(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
