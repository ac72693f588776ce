package child

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Frames are a length (4 bytes, big endian) and a JSON text. Their sizes and their sum are bounded, as the child is not trusted.
const (
	maxFrame  = 16 << 20 // bytes; the answer of a document with ten thousand images is about 2 MiB
	maxAnswer = 64 << 20 // bytes of all frames of one document
)

// order is a frame to the child: exactly one field is set.
type order struct {
	Setup *setup    `json:"setup,omitempty"`
	Begin *begin    `json:"begin,omitempty"`
	Job   *jobOrder `json:"job,omitempty"`
}

// setup is the first frame: what holds for the whole life of the process.
type setup struct {
	Memory   int64           `json:"memory"` // bytes of RLIMIT_DATA
	Sandbox  Sandbox         `json:"sandbox"`
	ReadOnly []string        `json:"readOnly,omitempty"`
	Temp     string          `json:"temp"` // working and temporary directory
	Settings json.RawMessage `json:"settings,omitempty"`
	Warm     bool            `json:"warm,omitempty"`
	Recycle  int64           `json:"recycle"` // bytes of resident set above which the child retires
	Foreign  bool            `json:"foreign,omitempty"`
}

// begin comes before the first document, with the paths and budgets of all documents that the process may get:
// from here on it can open nothing else.
type begin struct {
	Read   []string      `json:"read"`
	Write  []string      `json:"write"`
	CPU    time.Duration `json:"cpu"`    // processor time for all documents together
	Output int64         `json:"output"` // bytes of the largest file that may be written
}

// jobOrder is one document. The password travels beside the options, which never marshal it.
type jobOrder struct {
	Seq      int         `json:"seq"`
	Request  job.Request `json:"request"`
	Password string      `json:"password,omitempty"`
	Last     bool        `json:"last,omitempty"` // no other will follow: the child need not look whether it must retire
}

// report is a frame from the child: exactly one field is set.
type report struct {
	Ready    *ready        `json:"ready,omitempty"`
	Started  *started      `json:"started,omitempty"`
	Progress *job.Progress `json:"progress,omitempty"`
	Answer   *answer       `json:"answer,omitempty"`
}

// ready says that the process has limited itself and has warmed up if it was told to.
type ready struct {
	Locks []string `json:"locks"`
	Error string   `json:"error,omitempty"`
}

// lockedIn is the number of the mark that follows begin: the sandbox is shut and no document has been seen.
const lockedIn = 0

// started is the mark written before a document is touched: whoever dies without it is not to blame. Documents count from 1.
type started struct {
	Seq   int      `json:"seq"`
	Locks []string `json:"locks"`
}

// answer ends a document.
type answer struct {
	Seq    int           `json:"seq"`
	Result *job.Result   `json:"result,omitempty"`
	Fault  *wireFault    `json:"fault,omitempty"`
	Peak   int64         `json:"peak"` // bytes, high-water mark of the resident set
	CPU    time.Duration `json:"cpu"`  // used by the process so far
	Retire bool          `json:"retire,omitempty"`
	Locks  []string      `json:"locks,omitempty"` // of a foreign program; more than the child's own
	Again  bool          `json:"again,omitempty"` // neither result nor fault: ErrUsedUp
}

// wireFault is a fault.Error in a frame.
type wireFault struct {
	Kind    fault.Kind `json:"kind"`
	Message string     `json:"message"`
	Detail  string     `json:"detail,omitempty"`
}

func toWire(err error) *wireFault {
	f := fault.From(err)
	w := &wireFault{Kind: f.Kind, Message: f.Message}
	if f.Err != nil {
		w.Detail = f.Err.Error()
	}
	return w
}

func (w *wireFault) fault() *fault.Error {
	var cause error
	if w.Detail != "" {
		cause = errors.New(w.Detail)
	}
	if fault.Lookup(w.Kind).Kind != w.Kind {
		return fault.New(fault.Internal, "", fmt.Errorf("unknown kind %q: %s", w.Kind, w.Message))
	}
	return fault.New(w.Kind, w.Message, cause)
}

func writeFrame(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("marshal frame: %w", err)
	}
	if len(text) > maxFrame {
		return fmt.Errorf("write frame: %d bytes are more than %d", len(text), maxFrame)
	}
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(text)), uint32(len(text)))
	_, err = w.Write(append(frame, text...))
	return err
}

// readFrame reads one frame into v and gives its size. io.EOF means that the stream ended between two frames.
func readFrame(r io.Reader, v any) (int, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > maxFrame {
		return 0, fmt.Errorf("read frame: %d bytes are more than %d", size, maxFrame)
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err != nil {
		return 0, fmt.Errorf("read frame: %w", err)
	}
	if len(text) < int(size) {
		return 0, fmt.Errorf("read frame: %w", io.ErrUnexpectedEOF)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return 0, fmt.Errorf("read frame: %w", err)
	}
	return 4 + len(text), nil
}
