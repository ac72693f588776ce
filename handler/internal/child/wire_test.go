package child

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"decant/handler/internal/fault"
)

// FuzzFrames: whatever a child writes to descriptor 3, reading it ends with the stream or in an error.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\n"))
	f.Add([]byte{0, 0, 0, 2, '{', '}'})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := bytes.NewReader(stream)
		for read := 0; ; {
			var frame report
			n, err := readFrame(r, &frame)
			if err != nil {
				return
			}
			if read += n; n < 4 || read > len(stream) {
				t.Fatalf("read %d of %d bytes", read, len(stream))
			}
		}
	})
}

// TestFrames: what goes in comes out, and the kinds and words of faults survive the way.
func TestFrames(t *testing.T) {
	var stream bytes.Buffer
	sent := fault.New(fault.Corrupt, "The file is damaged.", errors.New("xref at 17"))
	if err := writeFrame(&stream, report{Answer: &answer{Seq: 3, Fault: toWire(sent)}}); err != nil {
		t.Fatal(err)
	}
	var got report
	if _, err := readFrame(&stream, &got); err != nil {
		t.Fatal(err)
	}
	if f := got.Answer.Fault.fault(); got.Answer.Seq != 3 || f.Error() != sent.Error() {
		t.Errorf("got %+v", f)
	}
	if _, err := readFrame(&stream, &got); err != io.EOF {
		t.Errorf("after the last frame: %v", err)
	}
	if f := (&wireFault{Kind: "harmless"}).fault(); f.Kind != fault.Internal {
		t.Errorf("a kind that does not exist became %q", f.Kind)
	}
}
