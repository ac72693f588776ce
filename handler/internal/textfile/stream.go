package textfile

import (
	"fmt"
	"io"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/format"
)

// Stream reads a large text as UTF-8, a stretch at a time.
type Stream struct {
	r      io.Reader
	sample string
	err    error
}

// How much of the text the sample has, and how much Fill adds, in bytes.
const (
	sampleWindows = 32
	sampleWindow  = 32 << 10
	stretch       = 4 << 20
)

// Open finds the encoding from the whole text and says in d what it had to guess.
func Open(in *format.Input, d *doc.Document) (*Stream, error) {
	text, err := charset.Survey(in.Reader())
	if err != nil {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	Warn(d, text)
	s := &Stream{}
	if s.sample, err = sampleOf(in, text); err != nil {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	if s.r, err = text.Reader(in.Reader()); err != nil {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	return s, nil
}

// Sample is lines from all parts of the text, the first ones among them.
func (s *Stream) Sample() string { return s.sample }

// Fill gives rest and what comes behind it; at the end of the text, rest alone. Err tells why it ended.
func (s *Stream) Fill(rest string) string {
	var b strings.Builder
	b.Grow(len(rest) + stretch)
	b.WriteString(rest)
	if _, err := io.CopyN(&b, s.r, stretch); err != nil && err != io.EOF && s.err == nil { //nolint:errorlint // CopyN gives io.EOF itself
		s.err = fmt.Errorf("read the text: %w", err)
	}
	return b.String()
}

// Err is what went wrong while reading.
func (s *Stream) Err() error { return s.err }

// sampleOf decodes windows from all parts of the text, cut at line ends.
func sampleOf(in *format.Input, text charset.Text) (string, error) {
	var b strings.Builder
	for i := range int64(sampleWindows) {
		at := i * (in.Size / sampleWindows) &^ 3 // a multiple of every encoding's unit
		window := text
		if i > 0 && window.How == charset.ByBOM {
			window.How = charset.ByPattern
		}
		r, err := window.Reader(io.NewSectionReader(in, at, min(sampleWindow, in.Size-at)))
		if err != nil {
			return "", err
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			return "", err
		}
		b.WriteString(wholeLines(strings.ToValidUTF8(string(raw), ""), i == 0))
	}
	return b.String(), nil
}

// wholeLines leaves out a line that began before the window, and one that goes on behind it.
func wholeLines(window string, first bool) string {
	if !first {
		_, next := lineEnd(window, 0)
		window = window[next:]
	}
	if end := strings.LastIndexAny(window, "\r\n"); end >= 0 {
		return window[:end+1]
	}
	return window
}
