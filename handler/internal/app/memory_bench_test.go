package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
	"decant/handler/internal/pdftest"
)

// longPages is how many pages the long document has: as many as a handbook, or a year's reports bound together.
const longPages = 680

// longDocument writes a document of pages as handbooks have them: a running head, a heading, some 2,800 characters of text in
// lines of words that differ from page to page, a table on every fifth page, and a page number.
func longDocument(pages int) []byte {
	f := pdftest.New()
	words := strings.Fields("the tide gauge harbour survey keeper station level reading mark datum record chart estuary channel buoy light pilot vessel storm")
	for n := range pages {
		c := &pdftest.Content{}
		c.Text("F1", 8, 72, 760, "Handbook of tidal stations")
		c.Text("F2", 14, 72, 730, fmt.Sprintf("%d.%d Station number %d", n/20+1, n%20+1, n+1))
		lines := 44
		if n%5 == 4 {
			lines = 30
			c.Grid([]float64{72, 180, 290, 400, 520}, []float64{240, 220, 200, 180, 160, 140, 120, 100})
			for row := range 7 {
				for column := range 4 {
					c.Text("F1", 9, 76+110*float64(column), 226-20*float64(row), fmt.Sprintf("%d", (n+1)*(row+3)*(column+7)%9973))
				}
			}
		}
		for i := range lines {
			var line []string
			for k := range 10 {
				line = append(line, words[(n*7+i*13+k*5)%len(words)]+fmt.Sprint((n+i*k)%10))
			}
			c.Text("F3", 10, 72, 705-13.5*float64(i), strings.Join(line, " "))
		}
		c.Text("F1", 8, 300, 40, fmt.Sprint(n+1))
		f.Page(c.String())
	}
	return f.Bytes()
}

// BenchmarkLongPDF converts a document of 680 pages in one child of the built binary, as decant convert does; the metrics are the
// peak of the child's resident set and pages a second.
func BenchmarkLongPDF(b *testing.B) {
	binary, err := filepath.Abs(repository + "dist/" + binaryName)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		b.Skip("dist/decant is not built: make bench builds it")
	}
	file := filepath.Join(b.TempDir(), "long.pdf")
	if err := os.WriteFile(file, longDocument(longPages), 0o600); err != nil {
		b.Fatal(err)
	}
	cache := benchCache(b)
	runner := child.New(child.Options{
		Command: []string{binary, "child"}, ReadOnly: []string{cache}, Settings: childSettings{PDFCache: cache, Memory: job.GiB},
	})
	defer runner.Close()
	var peak int64
	var pages int
	for b.Loop() {
		out := b.TempDir()
		source := job.Source{Path: "long.pdf", Size: -1}
		result, usage, err := runner.Convert(b.Context(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: file, OutDir: out})
		if err != nil {
			b.Fatal(err)
		}
		peak, pages = max(peak, usage.PeakMemory), pages+result.Counts.Pages
	}
	b.ReportMetric(float64(peak)/float64(job.MiB), "MiB-peak")
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}
