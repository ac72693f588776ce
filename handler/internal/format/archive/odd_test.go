package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/archive"
	"decant/handler/internal/format/formattest"
)

// warned tells whether a document has a warning of a class.
func warned(d *doc.Document, class doc.Class) bool {
	for _, w := range d.Warnings {
		if w.Class == class {
			return true
		}
	}
	return false
}

func tableText(d *doc.Document) string {
	var b strings.Builder
	for _, block := range d.Blocks {
		for _, c := range block.Table.Cells {
			b.WriteString(c.Blocks[0].PlainText() + "|")
		}
	}
	return b.String()
}

// TestZipMethods reads members packed with bzip2 and LZMA, as 7-Zip and WinZip do on request.
func TestZipMethods(t *testing.T) {
	for _, name := range []string{"bzip2.zip", "lzma.zip"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		d, files, err := formattest.Parse(t, archive.Zip(), name, data)
		if err != nil || len(d.Attachments) != 1 || d.Attachments[0].Fault != "" {
			t.Fatalf("%s: %v, %+v", name, err, d)
		}
		if got := files.Attachments["t.txt"]; got != "method "+name {
			t.Errorf("%s: read %q", name, got)
		}
	}
}

// TestUnknownMethodIsNamed: a member packed with Deflate64 is not damaged.
func TestUnknownMethodIsNamed(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "big.txt", Method: 9, CompressedSize64: 3, UncompressedSize64: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	d, _, err := formattest.Parse(t, archive.Zip(), "a.zip", b.Bytes())
	if err != nil || d.Attachments[0].Fault != string(fault.Unsupported) || !strings.Contains(d.Attachments[0].Message, "Deflate64") {
		t.Errorf("%v, %+v", err, d.Attachments)
	}
}

// TestLinksAreListed: a link is no document, and does not vanish either.
func TestLinksAreListed(t *testing.T) {
	var zipped, tarred bytes.Buffer
	z := zip.NewWriter(&zipped)
	link := &zip.FileHeader{Name: "link.txt"}
	link.SetMode(fs.ModeSymlink | 0o777)
	w, err := z.CreateHeader(link)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("/etc/passwd")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	tw := tar.NewWriter(&tarred)
	for _, h := range []*tar.Header{
		{Name: "link.txt", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, {Name: "same.txt", Typeflag: tar.TypeLink, Linkname: "a.txt"}, {Name: "pipe", Typeflag: tar.TypeFifo},
	} {
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a.zip": zipped.Bytes(), "a.tar": tarred.Bytes()} {
		f := archive.Zip()
		if name == "a.tar" {
			f = archive.Tar()
		}
		d, files, err := formattest.Parse(t, f, name, data)
		if err != nil || len(d.Attachments)+len(files.Attachments) > 0 || !warned(d, "unsupported_part") || !strings.Contains(tableText(d), "link.txt|link to /etc/passwd|") {
			t.Errorf("%s: %v, %+v, %s", name, err, d.Attachments, tableText(d))
		}
	}
}

// TestCutOff: what is there of an archive that was cut off is read, and the loss is told.
func TestCutOff(t *testing.T) {
	text := []byte(strings.Repeat("One line of a long text, number seven.\n", 4000))
	var packed bytes.Buffer
	g := gzip.NewWriter(&packed)
	if _, err := g.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"first.txt", "second.txt"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	d, files, err := formattest.Parse(t, archive.Packed(), "a.txt.gz", packed.Bytes()[:packed.Len()-40])
	if err != nil || !warned(d, "truncated") || !strings.HasPrefix(string(text), files.Attachments["a.txt"]) || len(files.Attachments["a.txt"]) < 1000 {
		t.Errorf("gz: %v, %+v", err, d)
	}
	d, files, err = formattest.Parse(t, archive.Zip(), "a.zip", zipped.Bytes()[:zipped.Len()*7/10])
	if err != nil || !warned(d, "truncated") || files.Attachments["first.txt"] != string(text) || !strings.HasPrefix(string(text), files.Attachments["second.txt"]) {
		t.Errorf("zip: %v, %+v", err, d)
	}
}
