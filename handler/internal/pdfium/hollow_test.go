package pdfium

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestHollow: every function is a trap of three bytes, and everything else is as it was.
func TestHollow(t *testing.T) {
	shell, err := hollow(module)
	if err != nil {
		t.Fatal(err)
	}
	full, empty := sections(t, module), sections(t, shell)
	for id, content := range full {
		switch id {
		case 0:
			if empty[id] != nil {
				t.Error("the names are still there")
			}
		case 10:
			number, n := binary.Uvarint(content)
			if got := empty[id]; len(got) != n+4*int(number) || !bytes.HasPrefix(got, content[:n]) || number < 1000 {
				t.Errorf("the code section has %d bytes, want %d for %d functions", len(got), n+4*int(number), number)
			}
		default:
			if !bytes.Equal(content, empty[id]) {
				t.Errorf("section %d was changed", id)
			}
		}
	}
}

func TestHollowRefuses(t *testing.T) {
	for name, wasm := range map[string][]byte{
		"nothing": nil, "no module": []byte("%PDF-1.7 and more"), "cut": module[:len(module)/2], "no count": append(module[:8:8], 10, 1, 0x80),
	} {
		if _, err := hollow(wasm); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func sections(t *testing.T, wasm []byte) map[byte][]byte {
	t.Helper()
	found := map[byte][]byte{}
	for rest := wasm[8:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		found[rest[0]] = append(found[rest[0]], rest[1+n:1+n+int(size)]...)
		rest = rest[1+n+int(size):]
	}
	return found
}
