package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// File is a PDF being written.
type File struct {
	objects []string // object n+1
	pages   []int    // object numbers
	catalog string   // more entries of the catalog
	info    string
	tree    int
	fonts   string
}

// New starts a file.
func New() *File {
	f := &File{}
	f.Object("") // the catalog, written last
	f.tree = f.Object("")
	var fonts strings.Builder
	for i, name := range []string{"Helvetica", "Helvetica-Bold", "Times-Roman", "Courier"} {
		n := f.Object("<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont /" + name + " >>")
		fmt.Fprintf(&fonts, "/F%d %d 0 R ", i+1, n)
	}
	f.fonts = fonts.String()
	return f
}

// Object adds an object and gives its number.
func (f *File) Object(body string) int {
	f.objects = append(f.objects, body)
	return len(f.objects)
}

// Set gives an object that was added before another body.
func (f *File) Set(number int, body string) { f.objects[number-1] = body }

// Replace changes a part of an object that was added before.
func (f *File) Replace(number int, before, after string) {
	f.objects[number-1] = strings.Replace(f.objects[number-1], before, after, 1)
}

// Stream adds a stream object; dict holds its entries but for the length.
func (f *File) Stream(dict, data string) int {
	return f.Object(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data))
}

// Font adds a font as the resource of that name, for the pages added afterwards.
func (f *File) Font(name, body string) {
	f.fonts += fmt.Sprintf("/%s %d 0 R ", name, f.Object(body))
}

// Page adds a page with the given content.
func (f *File) Page(content string) int { return f.PageWith(content, "", "") }

// PageWith adds a page with more resources ("/XObject << /Im1 7 0 R >>") and more page entries ("/Rotate 90").
func (f *File) PageWith(content, resources, entries string) int {
	stream := f.Stream("", content)
	if !strings.Contains(entries, "/MediaBox") {
		entries += " /MediaBox [0 0 612 792]"
	}
	n := f.Object(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /Resources << /Font << %s >> %s >> /Contents %d 0 R %s >>",
		f.tree, f.fonts, resources, stream, entries))
	f.pages = append(f.pages, n)
	return n
}

// Catalog adds entries to the catalog.
func (f *File) Catalog(entries string) { f.catalog += " " + entries }

// Info sets the document information dictionary's entries.
func (f *File) Info(entries string) { f.info = entries }

// Bytes is the whole file.
func (f *File) Bytes() []byte { return write(f.finish()) }

// Compressed is the whole file as newer programs write it: what is no stream stands in a compressed object stream,
// and the cross-reference table is a stream too (ISO 32000-2, 7.5.7 and 7.5.8).
func (f *File) Compressed() []byte { return writeCompressed(f.finish()) }

// finish gives the objects, with the catalog and the page tree, and the trailer's further entries.
func (f *File) finish() (all []string, entries string) {
	var kids strings.Builder
	for _, n := range f.pages {
		fmt.Fprintf(&kids, "%d 0 R ", n)
	}
	objects := append([]string{}, f.objects...)
	objects[0] = fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R %s >>", f.tree, f.catalog)
	objects[f.tree-1] = fmt.Sprintf("<< /Type /Pages /Kids [ %s] /Count %d >>", kids.String(), len(f.pages))
	trailer := ""
	if f.info != "" {
		objects = append(objects, "<< "+f.info+" >>")
		trailer = fmt.Sprintf("/Info %d 0 R", len(objects))
	}
	return objects, trailer
}

// write lays objects out with their cross-reference table (ISO 32000-2, 7.5).
func write(objects []string, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, body := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return b.Bytes()
}
