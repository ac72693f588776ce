package oleobject

import "testing"

func TestReadNative(t *testing.T) {
	name := "C:\\a\\notes.txt\x00"
	data := "\x00\x00\x00\x00\x02\x00" + "notes.txt\x00" + name + "\x00\x00\x03\x00" + "\x0f\x00\x00\x00" + name + "\x05\x00\x00\x00hello"
	f, ok := readNative([]byte(data))
	if !ok || f.Name != "notes.txt" || string(f.Content) != "hello" {
		t.Errorf("got %+v, %v", f, ok)
	}
	for cut := range len(data) {
		if f, ok := readNative([]byte(data[:cut])); ok {
			t.Fatalf("cut at %d: %+v", cut, f)
		}
	}
}

// TestReadNativeNames: a file has a name that can be one, whatever the object says; nothing is cut off pieces that are not there.
func TestReadNativeNames(t *testing.T) {
	native := func(label, name string) string {
		return "\x00\x00\x00\x00\x02\x00" + label + "\x00" + name + "\x00" + "\x00\x00\x03\x00" + "\x00\x00\x00\x00" + "\x05\x00\x00\x00%PDF-"
	}
	for _, tt := range []struct{ label, name, want string }{
		{"notes.txt", "x", "notes.txt"}, {"", `C:\a\b.txt`, "b.txt"}, {`C:\`, "", "C:"}, {"/", "..", "object.pdf"}, {".", `..\`, "object.pdf"}, {"", "", "object.pdf"},
	} {
		if f, ok := readNative([]byte(native(tt.label, tt.name))); !ok || f.Name != tt.want {
			t.Errorf("label %q, name %q: %+v, %v, want %s", tt.label, tt.name, f, ok, tt.want)
		}
	}
	if f, ok := readNative([]byte("0\x00")); ok {
		t.Errorf("a text after a piece that is not there: %+v", f)
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, ok := Find(data); ok && file.Name == "" {
			t.Error("a file without a name")
		}
		readNative(data)
	})
}
