package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/format/archive"
	"decant/handler/internal/format/formattest"
)

type member struct {
	name, text string
	flags      uint16
}

func pack(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Deflate, Flags: m.flags})
		if err == nil {
			_, err = w.Write([]byte(m.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// states gives what became of each member, in order.
func states(d *doc.Document) [][2]string {
	var list [][2]string
	for _, a := range d.Attachments {
		list = append(list, [2]string{a.Name, a.Fault})
	}
	return list
}

// TestZipTellsMembersApart is case C25: one encrypted member, one bomb, a doubled name, a name that leaves the archive.
func TestZipTellsMembersApart(t *testing.T) {
	data := pack(t, member{name: "ok.txt", text: "1"}, member{name: "../evil.txt", text: "2"}, member{name: "a/ok.txt", text: "3"}, member{name: "a/ok.txt", text: "4"},
		member{name: "secret.txt", text: "x", flags: 1}, member{name: "zeros", text: string(make([]byte, 10<<20))}, member{name: "folder/"}, member{name: "__MACOSX/._ok.txt", text: "junk"})
	d, _, err := formattest.Parse(t, archive.Zip(), "a.zip", data)
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]string{{"ok.txt", ""}, {"../evil.txt", ""}, {"a/ok.txt", ""}, {"a/ok.txt", ""}, {"secret.txt", "encrypted"}, {"zeros", "limit_ratio"}}
	if diff := cmp.Diff(want, states(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestZipOverlap(t *testing.T) {
	data := pack(t, member{name: "a", text: "one"}, member{name: "b", text: "two"})
	copy(data[bytes.LastIndex(data, []byte("PK\x01\x02"))+42:], []byte{0, 0, 0, 0})
	d, _, err := formattest.Parse(t, archive.Zip(), "a.zip", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states(d) {
		if s[1] != "limit_ratio" {
			t.Errorf("%v, want limit_ratio", s)
		}
	}
}

func TestDepthAndCountEnd(t *testing.T) {
	in, _ := formattest.Input("a.zip", pack(t, member{name: "a", text: "1"}, member{name: "b", text: "2"}))
	in.Limits.Level = 0
	d, err := archive.Zip().Parse(t.Context(), in)
	if err != nil || d.Attachments[0].Fault != string(fault.LimitDepth) {
		t.Errorf("at the last level: %v, %v, want limit_depth", states(d), err)
	}
	in.Limits.Level, in.Limits.Members = 4, 1
	d, err = archive.Zip().Parse(t.Context(), in)
	if err != nil || len(d.Attachments) != 1 || d.Warnings[0].Class != "limit_reached" {
		t.Errorf("with one member allowed: %v, %v, want one and limit_reached", states(d), err)
	}
}

func gz(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = name
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return b.Bytes()
}

func tarOf(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return b.Bytes()
}

func TestPacked(t *testing.T) {
	tests := []struct {
		name, file string
		data       []byte
		want       string
	}{
		{"name from the header", "x.gz", gz(t, "inner.csv", []byte("a,b")), "inner.csv"},
		{"name from the file", "report.csv.gz", gz(t, "", []byte("a,b")), "report.csv"},
		{"tar inside", "x.tgz", gz(t, "", tarOf(t, "in/tar.txt", "hello")), "in/tar.txt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _, err := formattest.Parse(t, archive.Packed(), tt.file, tt.data)
			if err != nil || len(d.Attachments) != 1 || d.Attachments[0].Name != tt.want || d.Attachments[0].Fault != "" {
				t.Errorf("%v, %v, want %s", states(d), err, tt.want)
			}
		})
	}
}

func TestPackedBombAndDamage(t *testing.T) {
	bomb := gz(t, "", make([]byte, 20<<20))
	d, _, err := formattest.Parse(t, archive.Packed(), "b.gz", bomb)
	if err != nil || d.Attachments[0].Fault != string(fault.LimitRatio) {
		t.Errorf("bomb: %v, %v, want limit_ratio", states(d), err)
	}
	cut := gz(t, "", []byte("some text that is long enough"))
	d, _, err = formattest.Parse(t, archive.Packed(), "c.gz", cut[:len(cut)-10])
	if err != nil || d.Attachments[0].Fault != "" || !warned(d, "truncated") {
		t.Errorf("cut off: %v, %v, want what was there, and a warning", states(d), err)
	}
	broken := gz(t, "", []byte("some text that is long enough"))
	broken[len(broken)-6] ^= 0xFF // the checksum
	d, _, err = formattest.Parse(t, archive.Packed(), "d.gz", broken)
	if err != nil || d.Attachments[0].Fault != string(fault.Corrupt) {
		t.Errorf("damaged: %v, %v, want corrupt", states(d), err)
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want format.Format
	}{
		{"zip", pack(t, member{name: "a", text: "1"}), archive.Zip()},
		{"tar", tarOf(t, "a", "b"), archive.Tar()},
		{"gz", gz(t, "", []byte("a")), archive.Packed()},
	}
	all := []format.Format{archive.Zip(), archive.Tar(), archive.Packed(), archive.SevenZip()}
	for _, tt := range tests {
		got, err := format.Detect(all, formattest.Head(t, "no-extension", tt.data))
		if err != nil || got.Format.Name != tt.want.Name {
			t.Errorf("%s: %v, %v", tt.name, got.Format.Name, err)
		}
	}
}
