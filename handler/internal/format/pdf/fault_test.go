package pdf_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/pdf"
	"decant/handler/internal/pdftest"
)

func TestFaults(t *testing.T) {
	whole := pdftest.New()
	whole.Page("BT /F1 12 Tf 72 700 Td (Hello) Tj ET")
	good := whole.Bytes()
	tests := []struct {
		name   string
		data   []byte
		change func(*format.Input)
		want   fault.Kind
	}{
		{"only a header", []byte("%PDF-1.7\n"), nil, fault.Corrupt},
		{"cut in the middle of its first object", good[:60], nil, fault.Corrupt},
		{"not a PDF after the header", append([]byte("%PDF-1.4\n"), bytes.Repeat([]byte("["), 100_000)...), nil, fault.Corrupt},
		{"as many pages as allowed", good, func(in *format.Input) { in.Limits.Pages = 1 }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var changes []func(*format.Input)
			if tt.change != nil {
				changes = append(changes, tt.change)
			}
			_, err := tryParse(t, tt.data, changes...)
			if got := fault.KindOf(err); got != tt.want {
				t.Errorf("kind %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

func TestTooManyPages(t *testing.T) {
	f := pdftest.New()
	for range 3 {
		f.Page("BT /F1 12 Tf 72 700 Td (Hello) Tj ET")
	}
	_, err := tryParse(t, f.Bytes(), func(in *format.Input) { in.Limits.Pages = 2 })
	if fault.KindOf(err) != fault.TooManyPages {
		t.Errorf("got %v, want too_many_pages", err)
	}
}

func TestCancelled(t *testing.T) {
	file := pdftest.New()
	file.Page("BT /F1 12 Tf 72 700 Td (Hello) Tj ET")
	f, err := sharedFormat()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	data := file.Bytes()
	_, err = f.Parse(ctx, &format.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Files: newFiles(), Progress: func(int, int) {}})
	if fault.KindOf(err) != fault.Interrupted {
		t.Errorf("got %v, want interrupted", err)
	}
}

func TestPassword(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "samples", "encrypted-minutes.pdf"))
	if err != nil {
		t.Skip("no encrypted sample: ", err)
	}
	if _, err := tryParse(t, data); fault.KindOf(err) != fault.Encrypted {
		t.Errorf("without a password: %v, want encrypted", err)
	}
	_, err = tryParse(t, data, func(in *format.Input) { in.Options.Password = "no such" })
	if fault.KindOf(err) != fault.Encrypted || !strings.Contains(err.Error(), "does not open") {
		t.Errorf("with a wrong password: %v, want encrypted, in other words", err)
	}
}

func TestBrokenPageCostsOnlyItself(t *testing.T) {
	f := pdftest.New()
	f.Page("BT /F1 12 Tf 72 700 Td (First) Tj ET")
	broken := f.Page("")
	f.Page("BT /F1 12 Tf 72 700 Td (Third) Tj ET")
	data := bytes.Replace(f.Bytes(), []byte(fmt.Sprintf("%d 0 obj\n<< /Type /Page ", broken)), []byte(fmt.Sprintf("%d 0 obj\n[1 /Type /Page ]", broken)), 1)
	d := parse(t, data)
	if got := outline(d.Blocks); got != "p: First\np: Third" {
		t.Errorf("got %q", got)
	}
	if !hasWarning(d, "page_failed") {
		t.Errorf("no page_failed in %v", d.Warnings)
	}
}

func TestDamagedXrefIsRepaired(t *testing.T) {
	f := pdftest.New()
	f.Page("BT /F1 12 Tf 72 700 Td (Still here) Tj ET")
	data := f.Bytes()
	data = append(data[:bytes.LastIndex(data, []byte("startxref"))], "startxref\n7\n%%EOF\n"...)
	d := parse(t, data)
	if outline(d.Blocks) != "p: Still here" || !hasWarning(d, "repaired") {
		t.Errorf("got %s, warnings %v", outline(d.Blocks), d.Warnings)
	}
}

func TestGeometry(t *testing.T) {
	tests := []struct {
		name, entries string
		size          [2]float64
		box           doc.Box // of the word, to the nearest 3 points
	}{
		{"upright", "", [2]float64{612, 792}, doc.Box{X0: 72, Y0: 82, X1: 100, Y1: 95}},
		{"turned by 90", "/Rotate 90", [2]float64{792, 612}, doc.Box{X0: 697, Y0: 72, X1: 711, Y1: 100}},
		{"cropped", "/CropBox [50 100 562 742]", [2]float64{512, 642}, doc.Box{X0: 22, Y0: 32, X1: 50, Y1: 45}},
		{"turned by 180", "/Rotate 180", [2]float64{612, 792}, doc.Box{X0: 512, Y0: 697, X1: 540, Y1: 710}},
		{"turned by 270", "/Rotate 270", [2]float64{792, 612}, doc.Box{X0: 81, Y0: 512, X1: 95, Y1: 540}},
		{"cropped and turned", "/CropBox [50 100 562 742] /Rotate 90", [2]float64{642, 512}, doc.Box{X0: 597, Y0: 22, X1: 611, Y1: 50}},
		{"media box away from the origin", "/MediaBox [-100 -50 512 742]", [2]float64{612, 792}, doc.Box{X0: 172, Y0: 32, X1: 200, Y1: 45}},
		{"in units of a quarter inch", "/UserUnit 18", [2]float64{612 * 18, 792 * 18}, doc.Box{X0: 1296, Y0: 1452, X1: 1788, Y1: 1704}},
		{"in larger units, cropped and turned", "/UserUnit 2.0 /CropBox [50 100 562 742] /Rotate 90", [2]float64{1284, 1024}, doc.Box{X0: 1195, Y0: 44, X1: 1223, Y1: 99}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := pdftest.New()
			f.PageWith("BT /F1 12 Tf 72 700 Td (Hello) Tj ET", "", tt.entries)
			d := parse(t, f.Bytes())
			if got := [2]float64{d.Pages[0].Width, d.Pages[0].Height}; got != tt.size {
				t.Errorf("size %v, want %v", got, tt.size)
			}
			if len(d.Blocks) != 1 {
				t.Fatalf("blocks: %s", outline(d.Blocks))
			}
			got := *d.Blocks[0].Places[0].Box
			near := func(a, b float64) bool { return a-b < 3 && b-a < 3 }
			if !near(got.X0, tt.box.X0) || !near(got.Y0, tt.box.Y0) || !near(got.X1, tt.box.X1) || !near(got.Y1, tt.box.Y1) {
				t.Errorf("box %v, want about %v", got, tt.box)
			}
		})
	}
}

// TestUserUnitInObjectStream: newer programs keep pages in compressed streams, and one page may have a unit of its own.
func TestUserUnitInObjectStream(t *testing.T) {
	f := pdftest.New()
	f.Page("BT /F1 12 Tf 72 700 Td (first) Tj ET")
	f.PageWith("BT /F1 12 Tf 72 700 Td (second) Tj ET", "", "/UserUnit 10")
	f.Page("BT /F1 12 Tf 72 700 Td (third) Tj ET")
	d := parse(t, f.Compressed())
	if got := outline(d.Blocks); got != "p: first\nh1: second\np: third" && got != "p: first\np: second\np: third" {
		t.Fatalf("got\n%s", got)
	}
	for i, want := range []float64{612, 6120, 612} {
		if d.Pages[i].Width != want {
			t.Errorf("page %d is %g points wide, want %g", i+1, d.Pages[i].Width, want)
		}
	}
}

func TestPrecheck(t *testing.T) {
	dir, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	c, err := pdf.NewChecker(context.Background(), pdf.Options{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	text := "BT /F1 12 Tf 72 700 Td (A page with words on it) Tj ET"
	make := func(pages ...string) []byte {
		f := pdftest.New()
		image := f.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x80")
		for _, p := range pages {
			f.PageWith(p, fmt.Sprintf("/XObject << /Im1 %d 0 R >>", image), "")
		}
		return f.Bytes()
	}
	scan := "q 600 0 0 780 0 0 cm /Im1 Do Q"
	tests := []struct {
		name string
		data []byte
		want format.Class
	}{
		{"text", make(text), format.ClassText},
		{"scan", make(scan), format.ClassScanned},
		{"both", make(text, scan), format.ClassMixed},
		{"blank", make(""), format.ClassEmpty},
		{"one word", make("BT /F1 12 Tf 72 700 Td (Void) Tj ET"), format.ClassText},
		{"a scan with its page number", make(scan + " BT /F1 9 Tf 300 30 Td (- 7 -) Tj ET"), format.ClassScanned},
		{"a scan with the scanner's text", make(scan + " BT 3 Tr /F1 12 Tf 72 700 Td (A page with words on it) Tj ET"), format.ClassText},
		{"a scan under blank text objects", make(scan + strings.Repeat(" BT /F1 9 Tf 300 30 Td ( ) Tj ET", 40)), format.ClassScanned},
		{"a picture beside text", make("q 100 0 0 100 72 72 cm /Im1 Do Q " + text), format.ClassText},
		{"a page that is no page, and one that is", bytes.Replace(make("", text), []byte("/Type /Page /"), []byte("/Type /Pale /"), 1), format.ClassText},
		{"garbage", []byte("%PDF-1.7 nothing"), format.ClassBroken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := c.Precheck(context.Background(), bytes.NewReader(tt.data), int64(len(tt.data)), "")
			if err != nil || got.Class != tt.want {
				t.Errorf("Precheck = %+v, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// TestPrecheckPassword: the right password shows what is inside.
func TestPrecheckPassword(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "samples", "encrypted-minutes.pdf"))
	if err != nil {
		t.Skip("no encrypted sample: ", err)
	}
	dir, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	c, err := pdf.NewChecker(context.Background(), pdf.Options{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for password, want := range map[string]format.Class{"": format.ClassEncrypted, "wrong": format.ClassEncrypted, "eastmere": format.ClassText} {
		if got, err := c.Precheck(context.Background(), bytes.NewReader(data), int64(len(data)), password); err != nil || got.Class != want {
			t.Errorf("password %q: %+v, %v; want %s", password, got, err, want)
		}
	}
}
