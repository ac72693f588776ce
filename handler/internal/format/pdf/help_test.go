package pdf_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/format/pdf"
	"decant/handler/internal/pdfium"
)

// cacheDir compiles the engine once for all tests of the machine; the folder is keyed by the engine's own version.
var cacheDir = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(os.TempDir(), "decant-test-pdf-cache")
	return dir, pdfium.Warm(context.Background(), dir)
})

var sharedFormat = sync.OnceValues(func() (format.Format, error) {
	dir, err := cacheDir()
	return pdf.Format(pdf.Options{CacheDir: dir}), err
})

// files is a format.Files that keeps pictures and attachments in memory.
type files struct {
	images      map[string][]byte
	attachments map[string]string
}

func (f *files) Image(data []byte, mediaType, source, alt string) (doc.Image, error) {
	id := fmt.Sprintf("image-%d", len(f.images)+1)
	f.images[id] = data
	return doc.Image{ID: id, MediaType: mediaType, Bytes: int64(len(data)), Source: source, Alt: alt}, nil
}

func (f *files) Attachment(name, mediaType string, content io.Reader) (doc.Attachment, error) {
	data, err := io.ReadAll(content)
	f.attachments[name] = string(data)
	return doc.Attachment{Name: name, MediaType: mediaType, Bytes: int64(len(data))}, err
}

func newFiles() *files { return &files{images: map[string][]byte{}, attachments: map[string]string{}} }

// parse reads a PDF, failing the test on an error.
func parse(t testing.TB, data []byte, change ...func(*format.Input)) *doc.Document {
	t.Helper()
	d, err := tryParse(t, data, change...)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return d
}

func tryParse(t testing.TB, data []byte, change ...func(*format.Input)) (*doc.Document, error) {
	t.Helper()
	f, err := sharedFormat()
	if err != nil {
		t.Fatal(err)
	}
	in := &format.Input{
		ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "test.pdf",
		Limits: format.Limits{Pages: 1000, Members: 100, Memory: 1 << 30}, Files: newFiles(), Progress: func(int, int) {},
	}
	for _, c := range change {
		c(in)
	}
	return f.Parse(context.Background(), in)
}

// outline writes blocks one a line: kind and text, cells between bars, items with dashes.
func outline(blocks []doc.Block) string {
	var b strings.Builder
	write(&b, blocks, "")
	return strings.TrimSpace(b.String())
}

func write(b *strings.Builder, blocks []doc.Block, indent string) {
	for i := range blocks {
		block := &blocks[i]
		switch block.Kind {
		case doc.Table:
			if len(block.Caption) > 0 {
				fmt.Fprintf(b, "%scaption: %s\n", indent, doc.PlainText(block.Caption))
			}
			writeGrid(b, block.Table, indent)
		case doc.List, doc.TOC, doc.Figure, doc.Item, doc.Group, doc.Quote:
			fmt.Fprintf(b, "%s%s%s:\n", indent, block.Kind, ifSet(" ", block.Number))
			write(b, block.Children, indent+"  ")
		case doc.Heading:
			fmt.Fprintf(b, "%sh%d: %s\n", indent, block.Level, block.PlainText())
		default:
			fmt.Fprintf(b, "%s%s: %s\n", indent, short(block.Kind), block.PlainText())
		}
	}
}

func short(k doc.Kind) string {
	if k == doc.Paragraph {
		return "p"
	}
	return string(k)
}

func ifSet(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func writeGrid(b *strings.Builder, g *doc.Grid, indent string) {
	for r := range g.Rows {
		b.WriteString(indent + "|")
		for i := range g.Cells {
			c := &g.Cells[i]
			if c.Row != r {
				continue
			}
			span := ""
			if c.Width() > 1 || c.Height() > 1 {
				span = fmt.Sprintf("[%dx%d]", c.Width(), c.Height())
			}
			b.WriteString(" " + span + c.PlainText() + " |")
		}
		b.WriteString("\n")
	}
}

func hasWarning(d *doc.Document, class doc.Class) bool {
	for _, w := range d.Warnings {
		if w.Class == class {
			return true
		}
	}
	return false
}

func itoa(n int) string { return fmt.Sprint(n) }
