package zipfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/zipfile"
)

type member struct {
	name, text string
	flags      uint16
}

func pack(t *testing.T, members ...member) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Deflate, Flags: m.flags})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func open(t *testing.T, r *bytes.Reader, budget int64) *zipfile.Archive {
	t.Helper()
	a, err := zipfile.Open(r, r.Size(), budget)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestNames(t *testing.T) {
	a := open(t, pack(t, member{name: "ok.txt", text: "1"}, member{name: "../evil.txt", text: "2"}, member{name: `a\b.txt`, text: "3"},
		member{name: "ok.txt", text: "4"}, member{name: "folder/"}, member{name: "/abs.txt", text: "5"}), 0)
	if got, want := a.Names(), []string{"ok.txt", "evil.txt", "a/b.txt", "abs.txt"}; !slices.Equal(got, want) {
		t.Errorf("Names() = %q, want %q", got, want)
	}
	if len(a.Notes()) != 1 {
		t.Errorf("Notes() = %q, want one about the repeated name", a.Notes())
	}
	if text, err := a.ReadAll("OK.TXT", 0); string(text) != "1" || err != nil {
		t.Errorf("ReadAll(OK.TXT) = %q, %v, want the first of that name", text, err)
	}
	if _, err := a.Open("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open(none) = %v, want fs.ErrNotExist", err)
	}
}

func TestRefused(t *testing.T) {
	zeros := string(make([]byte, 10<<20))
	tests := []struct {
		name   string
		member member
		budget int64
		limit  int64
		want   fault.Kind
	}{
		{"encrypted member", member{name: "m", text: "x", flags: 1}, 0, 0, fault.Encrypted},
		{"bomb", member{name: "m", text: zeros}, 0, 0, fault.LimitRatio},
		{"more than the budget", member{name: "m", text: zeros[:1<<20]}, 1000, 0, fault.LimitOutput},
		{"more than the caller's limit", member{name: "m", text: "12345"}, 0, 4, fault.TooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := open(t, pack(t, tt.member), tt.budget)
			if _, err := a.ReadAll("m", tt.limit); fault.KindOf(err) != tt.want {
				t.Errorf("ReadAll = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestOverlap(t *testing.T) {
	r := pack(t, member{name: "a", text: "one"}, member{name: "b", text: "two"})
	data := make([]byte, r.Size())
	_, _ = r.ReadAt(data, 0)
	// the second directory entry is made to point at the first member
	at := bytes.LastIndex(data, []byte("PK\x01\x02"))
	copy(data[at+42:], []byte{0, 0, 0, 0})
	_, err := zipfile.Open(bytes.NewReader(data), int64(len(data)), 0)
	if fault.KindOf(err) != fault.LimitRatio {
		t.Errorf("Open = %v, want %v", err, fault.LimitRatio)
	}
}

func TestNoDirectory(t *testing.T) {
	r := bytes.NewReader([]byte("no zip at all"))
	if _, err := zipfile.Open(r, r.Size(), 0); fault.KindOf(err) != fault.Corrupt {
		t.Errorf("Open = %v, want %v", err, fault.Corrupt)
	}
}

// TestCutOff: a file without its end has no directory, but its first members are there.
func TestCutOff(t *testing.T) {
	r := pack(t, member{name: "a", text: "one"}, member{name: "b", text: strings.Repeat("two ", 1000) + string(noise(2000))}, member{name: "c", text: "three"})
	data := make([]byte, r.Size())
	_, _ = r.ReadAt(data, 0)
	cut := bytes.Index(data, []byte("PK\x01\x02")) - 1000
	a := open(t, bytes.NewReader(data[:cut]), 0)
	if text, err := a.ReadAll("a", 0); string(text) != "one" || err != nil {
		t.Errorf("whole member = %q, %v", text, err)
	}
	if text, err := a.ReadAll("b", 0); !strings.HasPrefix(string(text), "two two ") || err != nil {
		t.Errorf("member that is cut off = %d bytes, %v", len(text), err)
	}
	if len(a.Notes()) != 1 || a.Has("c") {
		t.Errorf("Notes() = %q, has c: %v", a.Notes(), a.Has("c"))
	}
}

// noise are bytes that do not pack.
func noise(n int) []byte {
	out := make([]byte, n)
	state := uint32(1)
	for i := range out {
		state = state*1664525 + 1013904223
		out[i] = byte(state >> 24)
	}
	return out
}

func FuzzOpen(f *testing.F) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.Create("a/b.txt")
	_, _ = w.Write([]byte("text text text"))
	_ = z.Close()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:60])
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := zipfile.Open(bytes.NewReader(data), int64(len(data)), 1<<20)
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				t.Fatalf("no kind: %v", err)
			}
			return
		}
		for _, name := range a.Names() {
			if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "../") {
				t.Fatalf("name %q leaves the root", name)
			}
			if _, err := a.ReadAll(name, 0); err != nil && fault.KindOf(err) == fault.Internal {
				t.Fatalf("%q: no kind: %v", name, err)
			}
		}
	})
}
