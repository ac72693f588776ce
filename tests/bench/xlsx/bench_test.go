package xlsx

import (
	"archive/zip"
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"decant/handler/internal/convert"
	"decant/handler/internal/format"
	"decant/handler/internal/format/xlsx"
	"decant/handler/internal/grid"
	"decant/handler/internal/job"
)

const (
	rows    = 100_000
	columns = 10
)

// workbook writes a workbook of a million cells: texts, whole and broken numbers, dates and booleans.
func workbook(tb testing.TB) string {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "million.xlsx")
	f, err := os.Create(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	part := func(name string, write func(w io.Writer)) {
		w, err := z.Create(name)
		if err != nil {
			tb.Fatal(err)
		}
		b := bufio.NewWriter(w)
		write(b)
		if err := b.Flush(); err != nil {
			tb.Fatal(err)
		}
	}
	text := func(s string) func(io.Writer) { return func(w io.Writer) { io.WriteString(w, s) } }
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	const rel = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	part("[Content_Types].xml", text(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`))
	part("_rels/.rels", text(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="`+rel+`officeDocument" Target="xl/workbook.xml"/></Relationships>`))
	part("xl/_rels/workbook.xml.rels", text(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="`+rel+`worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="`+rel+`sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r3" Type="`+rel+`styles" Target="styles.xml"/></Relationships>`))
	part("xl/workbook.xml", text(`<workbook `+main+`><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`))
	part("xl/styles.xml", text(`<styleSheet `+main+`><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="4"/></cellXfs></styleSheet>`))
	part("xl/sharedStrings.xml", func(w io.Writer) {
		fmt.Fprintf(w, `<sst %s>`, main)
		for i := range rows / 2 {
			fmt.Fprintf(w, `<si><t>Customer number %d</t></si>`, i)
		}
		io.WriteString(w, `</sst>`)
	})
	part("xl/worksheets/sheet1.xml", func(w io.Writer) {
		fmt.Fprintf(w, `<worksheet %s><sheetData>`, main)
		for r := 1; r <= rows; r++ {
			fmt.Fprintf(w, `<row r="%d">`, r)
			for c := range columns {
				cell(w, r, c)
			}
			io.WriteString(w, `</row>`)
		}
		io.WriteString(w, `</sheetData></worksheet>`)
	})
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return name
}

func cell(w io.Writer, r, c int) {
	ref := grid.Name(r-1, c)
	switch c % 5 {
	case 0:
		fmt.Fprintf(w, `<c r="%s" t="s"><v>%d</v></c>`, ref, (r*7+c)%(rows/2))
	case 1:
		fmt.Fprintf(w, `<c r="%s"><v>%d</v></c>`, ref, r*c)
	case 2:
		fmt.Fprintf(w, `<c r="%s" s="2"><v>%d.%02d</v></c>`, ref, r*31, r%100)
	case 3:
		fmt.Fprintf(w, `<c r="%s" s="1"><v>%d</v></c>`, ref, 40000+r%5000)
	case 4:
		fmt.Fprintf(w, `<c r="%s" t="b"><v>%d</v></c>`, ref, r%2)
	}
}

// peak reports the highest heap seen while run works.
func peak(b *testing.B, run func()) {
	runtime.GC()
	stop, done := make(chan bool), make(chan uint64)
	go func() {
		var highest uint64
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			highest = max(highest, m.HeapInuse+m.StackInuse)
			select {
			case <-stop:
				done <- highest
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	run()
	stop <- true
	b.ReportMetric(float64(<-done)/(1<<20), "peak-MiB")
}

func input(b *testing.B, name string) *format.Input {
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return &format.Input{ReaderAt: f, Size: info.Size(), Name: "million.xlsx", Limits: format.Limits{Pages: 10, Unpack: 4 << 30, Depth: format.DefaultDepth}, Progress: func(int, int) {}}
}

func check(b *testing.B, cells int) {
	if cells != rows*columns {
		b.Fatalf("%d cells, want %d", cells, rows*columns)
	}
	b.ReportMetric(float64(cells)*float64(b.N)/b.Elapsed().Seconds(), "cells/s")
}

func BenchmarkDecantCells(b *testing.B) {
	in := input(b, workbook(b))
	b.ReportAllocs()
	cells := 0
	peak(b, func() {
		for b.Loop() {
			cells = 0
			err := xlsx.ReadCells(context.Background(), in, 0, func(c *grid.Cell) error {
				cells++
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	check(b, cells)
}

func BenchmarkExcelizeRows(b *testing.B) {
	name := workbook(b)
	b.ReportAllocs()
	cells := 0
	peak(b, func() {
		for b.Loop() {
			cells = excelizeCells(b, name)
		}
	})
	check(b, cells)
}

func excelizeCells(b *testing.B, name string) (cells int) {
	f, err := excelize.OpenFile(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	rows, err := f.Rows("Data")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row, err := rows.Columns()
		if err != nil {
			b.Fatal(err)
		}
		cells += len(row)
	}
	return cells
}

// BenchmarkDecantConvert is the whole way, as a conversion goes it under the default limits: tables, Markdown, document.json and chunks
// with their tokens, all written to files.
func BenchmarkDecantConvert(b *testing.B) {
	name := workbook(b)
	converter := convert.New([]format.Format{xlsx.Format()}, "bench")
	source := job.Source{Path: "million.xlsx", Size: -1}
	b.ReportAllocs()
	var result job.Result
	peak(b, func() {
		for b.Loop() {
			var err error
			if result, err = converter.Convert(context.Background(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: name, OutDir: b.TempDir()}); err != nil {
				b.Fatal(err)
			}
		}
	})
	if result.Counts.Tables == 0 || result.Counts.Chunks == 0 || len(result.Warnings) > 0 {
		b.Fatalf("not the normal way: %+v", result)
	}
	b.ReportMetric(float64(rows*columns)*float64(b.N)/b.Elapsed().Seconds(), "cells/s")
}
