package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pdftest"
)

// hostilePDF is a PDF made to bring its reader down, and the ways in which it may end; "" is a result.
type hostilePDF struct {
	name  string
	build func() []byte
	ends  []fault.Kind
	says  string // a warning class in the result, if it ends with one
	text  string // text that a result must have
}

var hostilePDFs = []hostilePDF{
	{"the table of objects is garbage", func() []byte {
		data := plainPDF("Still here").Bytes()
		return append(data[:bytes.LastIndex(data, []byte("startxref"))], "startxref\n7\n%%EOF\n"...)
	}, []fault.Kind{""}, "repaired", "Still here"},
	{"the table of objects leads to itself", func() []byte {
		data := string(plainPDF("Still here").Bytes())
		start := strings.LastIndex(data, "xref\n0 ")
		return []byte(strings.Replace(data, "trailer\n<<", fmt.Sprintf("trailer\n<< /Prev %d", start), 1))
	}, []fault.Kind{"", fault.Corrupt}, "", ""},
	{"objects in a compressed stream that is cut", func() []byte {
		data := plainPDF("Gone").Compressed()
		return append(data[:len(data)/2], data[len(data)*3/4:]...)
	}, []fault.Kind{"", fault.Corrupt}, "", ""},
	{"page tree in a circle", func() []byte {
		f := plainPDF("Page")
		inner := f.Object("")
		f.Set(inner, fmt.Sprintf("<< /Type /Pages /Count 3 /Kids [%d 0 R %d 0 R %d 0 R] /Parent %d 0 R >>", inner, inner, inner, inner))
		return replaceKids(f.Bytes(), fmt.Sprintf("%d 0 R ", inner), 40)
	}, []fault.Kind{"", fault.Corrupt}, "page_failed", ""},
	{"a hundred thousand pages that are not there", func() []byte {
		return bytes.Replace(plainPDF("Only page").Bytes(), []byte("/Count 1 "), []byte("/Count 100000 "), 1)
	}, []fault.Kind{"", fault.TooManyPages}, "", ""},
	{"five thousand pages that are not there", func() []byte {
		return bytes.Replace(plainPDF("Only page").Bytes(), []byte("/Count 1 "), []byte("/Count 5000 "), 1)
	}, []fault.Kind{""}, "page_failed", "Only page"},
	{"bookmarks in a circle", func() []byte {
		f := plainPDF("Text")
		root, first, second := f.Object(""), f.Object(""), f.Object("")
		f.Set(root, fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count 2 >>", first, second))
		f.Set(first, fmt.Sprintf("<< /Title (One) /Parent %d 0 R /Next %d 0 R /First %d 0 R >>", root, second, root))
		f.Set(second, fmt.Sprintf("<< /Title (Two) /Parent %d 0 R /Next %d 0 R /First %d 0 R >>", root, first, first))
		f.Catalog(fmt.Sprintf("/Outlines %d 0 R", root))
		return f.Bytes()
	}, []fault.Kind{""}, "", "Text"},
	{"form fields in a circle", func() []byte {
		f := pdftest.New()
		a, b := f.Object(""), f.Object("")
		f.Set(a, fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (x) /Rect [72 500 200 520] /Kids [%d 0 R %d 0 R] /Parent %d 0 R >>", a, b, b))
		f.Set(b, fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /T (b) /V (y) /Rect [72 400 200 420] /Kids [%d 0 R %d 0 R] /Parent %d 0 R >>", a, b, a))
		f.Catalog(fmt.Sprintf("/AcroForm << /Fields [%d 0 R %d 0 R] >>", a, b))
		f.PageWith("BT /F1 12 Tf 72 700 Td (Text) Tj ET", "", fmt.Sprintf("/Annots [%d 0 R %d 0 R]", a, b))
		return f.Bytes()
	}, []fault.Kind{""}, "", "Text"},
	{"drawings in a circle", func() []byte {
		f := pdftest.New()
		a, b := f.Object(""), f.Object("")
		draw := func(other int) string {
			return fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X %d 0 R >> >> /Length 17 >>\nstream\n/X Do /X Do /X Do\nendstream", other)
		}
		f.Set(a, draw(b))
		f.Set(b, draw(a))
		f.PageWith("BT /F1 12 Tf 72 700 Td (Text) Tj ET /X Do", fmt.Sprintf("/XObject << /X %d 0 R >>", a), "")
		return f.Bytes()
	}, []fault.Kind{"", fault.Memory}, "page_failed", ""},
	{"drawings that double at each of thirty levels", func() []byte {
		f := pdftest.New()
		inner := f.Stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "0 0 m 9 9 l S")
		for range 30 {
			inner = f.Stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X %d 0 R >> >>", inner), "/X Do /X Do")
		}
		f.PageWith("BT /F1 12 Tf 72 700 Td (Text) Tj ET /X Do", fmt.Sprintf("/XObject << /X %d 0 R >>", inner), "")
		return f.Bytes()
	}, []fault.Kind{"", fault.Memory}, "", ""},
	{"a glyph drawn with its own font", func() []byte {
		f := pdftest.New()
		font, glyph := f.Object(""), f.Object("")
		f.Set(glyph, "<< /Length 38 >>\nstream\n1000 0 d0 BT /T 1 Tf (aaa) Tj ET 0 0 m\nendstream")
		f.Set(font, fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /Encoding << /Differences [97 /a] >> /CharProcs << /a %d 0 R >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /T %d 0 R >> >> >>", glyph, font))
		f.PageWith("BT /F1 12 Tf 72 700 Td (Text) Tj /T 12 Tf (a) Tj ET", "", "")
		return bytes.Replace(f.Bytes(), []byte("/Font << "), []byte(fmt.Sprintf("/Font << /T %d 0 R ", font)), 2)
	}, []fault.Kind{""}, "", "Text"},
	{"trees of names, labels and tags in circles", func() []byte {
		f := pdftest.New()
		names, labels, tags := f.Object(""), f.Object(""), f.Object("")
		f.Set(names, fmt.Sprintf("<< /Kids [%d 0 R %d 0 R] /Limits [(a) (z)] >>", names, names))
		f.Set(labels, fmt.Sprintf("<< /Kids [%d 0 R] /Limits [0 9] >>", labels))
		page := f.PageWith("/P << /MCID 0 >> BDC BT /F1 12 Tf 72 700 Td (Text) Tj ET EMC", "", "/StructParents 0")
		f.Set(tags, fmt.Sprintf("<< /Type /StructTreeRoot /S /P /P %d 0 R /K [%d 0 R %d 0 R 0] /Pg %d 0 R /ParentTree << /Nums [0 [%d 0 R]] >> >>", tags, tags, tags, page, tags))
		f.Catalog(fmt.Sprintf("/Names << /EmbeddedFiles %d 0 R >> /PageLabels %d 0 R /MarkInfo << /Marked true >> /StructTreeRoot %d 0 R", names, labels, tags))
		return f.Bytes()
	}, []fault.Kind{""}, "", "Text"},
	{"a content stream of 200 MB of spaces", func() []byte {
		return contentPDF("/Filter /FlateDecode", pdftest.Deflated(strings.Repeat(" ", 200<<20)))
	}, []fault.Kind{"", fault.Memory}, "", ""},
	{"a bomb in a bomb", func() []byte {
		return contentPDF("/Filter [/FlateDecode /FlateDecode]", pdftest.Deflated(pdftest.Deflated(strings.Repeat("0 ", 100<<20))))
	}, []fault.Kind{"", fault.Memory}, "", ""},
	{"twenty filters", func() []byte {
		content := "BT /F1 12 Tf 72 700 Td (Deep down) Tj ET"
		for range 20 {
			content = pdftest.Deflated(content)
		}
		return contentPDF("/Filter ["+strings.Repeat("/FlateDecode ", 20)+"]", content)
	}, []fault.Kind{""}, "", ""},
	{"a million lines on a page", func() []byte {
		return contentPDF("/Filter /FlateDecode", pdftest.Deflated("BT /F1 12 Tf 72 700 Td (Text) Tj ET "+strings.Repeat("0 0 m 9 9 l S ", 1_000_000)))
	}, []fault.Kind{"", fault.Memory}, "", ""},
	{"a million pieces of text on a page", func() []byte {
		return contentPDF("/Filter /FlateDecode", pdftest.Deflated("BT /F1 1.5 Tf 72 700 Td "+strings.Repeat("(a) Tj ", 1_000_000)+"ET"))
	}, []fault.Kind{"", fault.Memory}, "", ""},
	{"two million saved states", func() []byte {
		return contentPDF("/Filter /FlateDecode", pdftest.Deflated(strings.Repeat("q ", 2_000_000)))
	}, []fault.Kind{"", fault.Memory, fault.Corrupt}, "", ""},
	{"a hundred thousand open brackets", func() []byte {
		return contentPDF("", strings.Repeat("[", 100_000)+" TJ BT /F1 12 Tf 72 700 Td (Text) Tj ET")
	}, []fault.Kind{""}, "", ""},
	{"pages larger than a country", func() []byte {
		f := pdftest.New()
		for i, box := range []string{"0 0 1e9 1e9", "0 0 3e38 3e38", "-1e30 -1e30 1e30 1e30", "0 0 0 0", "612 792 0 0", "nan nan nan nan"} {
			f.PageWith(fmt.Sprintf("BT /F1 12 Tf 72 400 Td (Text %c) Tj ET", 'A'+i), "", "/MediaBox ["+box+"]")
		}
		return f.Bytes()
	}, []fault.Kind{""}, "", "Text A"},
	{"a picture of four thousand million pixels", func() []byte {
		f := pdftest.New()
		image := f.Stream("/Type /XObject /Subtype /Image /Width 65000 /Height 65000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode", pdftest.Deflated(strings.Repeat("\x00", 50<<20)))
		f.PageWith("BT /F1 12 Tf 72 700 Td (Text) Tj ET q 300 0 0 300 72 300 cm /I Do Q", fmt.Sprintf("/XObject << /I %d 0 R >>", image), "")
		return f.Bytes()
	}, []fault.Kind{"", fault.Memory}, "", ""},
	{"a thousand columns and rows of rules", func() []byte {
		c := &pdftest.Content{}
		for i := range 1000 {
			c.Line(10, 0.7*float64(i), 600, 0.7*float64(i)).Line(0.6*float64(i), 10, 0.6*float64(i), 700)
			c.Text("F1", 2, float64(i%300)*2, float64(i/4)*2.5, "x1")
		}
		return contentPDF("/Filter /FlateDecode", pdftest.Deflated(c.String()))
	}, []fault.Kind{""}, "", ""},
}

func plainPDF(text string) *pdftest.File {
	f := pdftest.New()
	f.Page("BT /F1 12 Tf 72 700 Td (" + text + ") Tj ET")
	return f
}

// contentPDF has one page whose content stream is given as it is, with the entries of its dictionary.
func contentPDF(dict, content string) []byte {
	f := pdftest.New()
	stream := f.Stream(dict, content)
	page := f.Page("")
	f.Set(page, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", stream))
	return f.Bytes()
}

// replaceKids gives the page tree's root other children and another count.
func replaceKids(data []byte, kids string, count int) []byte {
	from := bytes.Index(data, []byte("/Kids [ "))
	end := from + bytes.IndexByte(data[from:], ']')
	rest := bytes.Replace(data[end:], []byte("/Count 1 "), []byte(fmt.Sprintf("/Count %d ", count)), 1)
	return append(append(data[:from:from], "/Kids [ "+kids...), rest...)
}

// pdfRunner converts in children of this test binary, within limits that hostile documents are to meet.
func pdfRunner(t testing.TB) (*child.Runner, job.Limits) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cache := benchCache(t)
	limits := job.Limits{Memory: 512 * job.MiB, Timeout: 5 * time.Minute, NoProgress: 5 * time.Minute}.Normalize()
	runner := child.New(child.Options{
		Command: []string{exe, "child"}, ReadOnly: []string{cache}, Settings: childSettings{PDFCache: cache, Memory: limits.Memory},
	})
	t.Cleanup(runner.Close)
	return runner, limits
}

// TestHostilePDFs converts each in a child of its own: a result or a named fault, never a crash, and inside time and cap.
func TestHostilePDFs(t *testing.T) {
	runner, limits := pdfRunner(t)
	for _, tt := range hostilePDFs {
		t.Run(tt.name, func(t *testing.T) {
			file, out := filepath.Join(t.TempDir(), "hostile.pdf"), t.TempDir()
			must(t, os.WriteFile(file, tt.build(), 0o600))
			source := job.Source{Path: "hostile.pdf", Size: -1}
			began := time.Now()
			result, usage, err := runner.Convert(t.Context(), job.Request{
				Job: job.Job{ID: source.ID(), Source: source, Limits: limits}, Input: file, OutDir: out,
			})
			t.Logf("%v after %v, %d MiB", err, time.Since(began).Round(time.Millisecond), usage.PeakMemory>>20)
			if kind := fault.KindOf(err); !slices.Contains(tt.ends, kind) {
				t.Fatalf("ended with %q (%v), want one of %q", kind, err, tt.ends)
			}
			if err != nil {
				return
			}
			if tt.says != "" && !strings.Contains(warningsOf(t, result), tt.says) {
				t.Errorf("no %s in %s", tt.says, warningsOf(t, result))
			}
			text, err := os.ReadFile(filepath.Join(out, "document.md"))
			if err != nil || !strings.Contains(string(text), tt.text) {
				t.Errorf("no %q in the text: %.200q, %v", tt.text, text, err)
			}
		})
	}
}

func warningsOf(t *testing.T, result job.Result) string {
	t.Helper()
	text, err := json.Marshal(result.Warnings)
	must(t, err)
	return string(text)
}
