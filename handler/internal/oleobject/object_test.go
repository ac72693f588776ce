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

func FuzzFind(f *testing.F) {
	f.Add([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, ok := Find(data); ok && file.Name == "" {
			t.Error("a file without a name")
		}
		readNative(data)
	})
}
