package pdf_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/format"
	"decant/handler/internal/format/pdf"
	"decant/handler/internal/pdfium"
	"decant/handler/internal/pdftest"
)

// benchFiles are the typeset pages of the measuring data where it is there, else a page written here.
func benchFiles(b *testing.B) [][]byte {
	b.Helper()
	for _, dir := range []string{"../../../../../shared/data", "../../../../../../shared/data"} {
		paths, _ := filepath.Glob(filepath.Join(dir, "pdf-typeset", "pdf", "*.pdf"))
		var files [][]byte
		for _, p := range paths {
			if data, err := os.ReadFile(p); err == nil {
				files = append(files, data)
			}
		}
		if len(files) > 0 {
			return files
		}
	}
	return [][]byte{writtenPage()}
}

// writtenPage is one page in two columns of 50 lines.
func writtenPage() []byte {
	f := pdftest.New()
	c := &pdftest.Content{}
	for x := range 2 {
		column(c, 72+258*float64(x), 720, 50)
	}
	f.Page(c.String())
	return f.Bytes()
}

// engineOnly is PDFium's own work: open, load every page, load its text, and nothing else.
func engineOnly(b *testing.B, e *pdfium.Engine, data []byte) (pages int) {
	d, err := e.Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for i := range d.Pages() {
		page := d.Page(i)
		page.CountChars()
		page.Close()
	}
	return d.Pages()
}

// BenchmarkParse gives pages a second, and the ratio to the rate of PDFium alone on the same files in the same process.
func BenchmarkParse(b *testing.B) {
	dir, err := cacheDir()
	if err != nil {
		b.Fatal(err)
	}
	files := benchFiles(b)
	e, err := pdfium.Start(context.Background(), pdfium.Config{CacheDir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	f := pdf.Format(pdf.Options{CacheDir: dir})
	parseAll := func() (pages int) {
		for _, data := range files {
			d, err := f.Parse(context.Background(), &format.Input{
				ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Options: format.Options{Images: "none"},
				Limits: format.Limits{Pages: 1000, Members: 10}, Files: newFiles(), Progress: func(int, int) {},
			})
			if err != nil {
				b.Fatal(err)
			}
			pages += len(d.Pages)
		}
		return pages
	}
	parseAll()
	var own, whole time.Duration
	pages := 0
	for b.Loop() {
		start := time.Now()
		for _, data := range files {
			engineOnly(b, e, data)
		}
		own += time.Since(start)
		start = time.Now()
		pages += parseAll()
		whole += time.Since(start)
	}
	b.ReportMetric(float64(pages)/whole.Seconds(), "pages/s")
	b.ReportMetric(float64(pages)/own.Seconds(), "engine-pages/s")
	b.ReportMetric(own.Seconds()/whole.Seconds(), "ratio")
}

// processor is the time that this process has had a processor.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPrecheck gives files a second of one process, by the clock and by the time that it had a processor.
func BenchmarkPrecheck(b *testing.B) {
	dir, err := cacheDir()
	if err != nil {
		b.Fatal(err)
	}
	c, err := pdf.NewChecker(context.Background(), pdf.Options{CacheDir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for _, set := range []struct {
		name  string
		files [][]byte
	}{{"typeset", benchFiles(b)}, {"written", [][]byte{writtenPage()}}} {
		b.Run(set.name, func(b *testing.B) {
			n, began := 0, processor()
			for b.Loop() {
				for _, data := range set.files {
					if _, err := c.Precheck(context.Background(), bytes.NewReader(data), int64(len(data)), ""); err != nil {
						b.Fatal(err)
					}
					n++
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "files/s")
			b.ReportMetric(float64(n)/(processor()-began).Seconds(), "files/processor-s")
		})
	}
}
