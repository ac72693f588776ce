package local

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"decant/handler/internal/ledger"
)

// chunkLine is a chunk as it lies in its file, one a line, in the order of ids:
//
//	{"id":"…","text":"…","place":"…","index":0,"body":{…}}
type chunkLine struct {
	lineHead
	Body json.RawMessage // an object without line ends
}

// lineHead is what stands before the body. The last two are set in lines that wait to be merged, and never in the file itself.
type lineHead struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Place string `json:"place"`
	Index int    `json:"index"`
	Move  bool   `json:"move,omitempty"` // the body goes over that of the line before with the same id
	Gone  bool   `json:"gone,omitempty"` // there is no such chunk any more
}

// beforeBody parts the head of a line from its body. No text inside the head has it: its quotation marks would be escaped.
const beforeBody = `,"body":`

func lineOf(c ledger.Chunk) (chunkLine, error) {
	line := chunkLine{lineHead{ID: c.ID, Text: c.Stamp.Text, Place: c.Stamp.Place, Index: c.Stamp.Index}, c.Body}
	if bytes.IndexByte(line.Body, '\n') < 0 && len(line.Body) > 0 {
		return line, nil
	}
	var flat bytes.Buffer
	if err := json.Compact(&flat, line.Body); err != nil {
		return line, fmt.Errorf("chunk %s is no JSON: %w", c.ID, err)
	}
	line.Body = flat.Bytes()
	return line, nil
}

func (l *chunkLine) stamp() ledger.Stamp {
	return ledger.Stamp{Text: l.Text, Place: l.Place, Index: l.Index}
}

func (l *chunkLine) chunk() ledger.Chunk {
	return ledger.Chunk{ID: l.ID, Stamp: l.stamp(), Body: bytes.Clone(l.Body)}
}

// writeTo writes the line with its end.
func (l *chunkLine) writeTo(w *bufio.Writer) error {
	head, err := json.Marshal(l.lineHead)
	if err != nil {
		return err
	}
	_, _ = w.Write(head[:len(head)-1]) // the last write tells what went wrong before
	_, _ = w.WriteString(beforeBody)
	if len(l.Body) == 0 {
		_, _ = w.WriteString("null")
	}
	_, _ = w.Write(l.Body)
	_, err = w.WriteString("}\n")
	return err
}

// lineReader reads chunk lines. A line's body is good until the next is read.
type lineReader struct {
	r      *bufio.Reader
	buffer []byte
	line   *chunkLine // the last one read; nil at the end
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: bufio.NewReaderSize(r, 1<<16)} }

// next reads a line; nil at the end.
func (r *lineReader) next() (*chunkLine, error) {
	r.line = nil
	r.buffer = r.buffer[:0]
	for {
		part, err := r.r.ReadSlice('\n')
		r.buffer = append(r.buffer, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil, errors.Is(err, io.EOF) && len(r.buffer) > 0:
			r.line, err = parseLine(bytes.TrimSuffix(r.buffer, []byte("\n")))
			return r.line, err
		case errors.Is(err, io.EOF):
			return nil, nil
		default:
			return nil, storage(err)
		}
	}
}

func parseLine(text []byte) (*chunkLine, error) {
	head, body, found := bytes.Cut(text, []byte(beforeBody))
	var l chunkLine
	if !found || len(body) == 0 {
		return nil, fmt.Errorf("a line of %d bytes in the chunk file is broken", len(text))
	}
	if err := json.Unmarshal(append(head[:len(head):len(head)], '}'), &l.lineHead); err != nil {
		return nil, fmt.Errorf("read chunk line: %w", err)
	}
	l.Body = body[:len(body)-1]
	return &l, nil
}

// nearBy is how many bytes are rather read through than halved.
const nearBy = 1 << 16

// seekBehind sets a chunk file to a line from which on the ids behind the one given come soon; ids up to it may come before them.
func seekBehind(file *os.File, after string) error {
	info, err := file.Stat()
	if err != nil {
		return storage(err)
	}
	low, high := int64(0), info.Size() // low is the start of a line whose id is not behind, or of the file
	for after != "" && high-low > nearBy {
		middle := low + (high-low)/2
		start, line, err := lineFrom(file, middle)
		if err != nil {
			return err
		}
		if line == nil || start >= high || line.ID > after {
			high = middle
		} else {
			low = start
		}
	}
	_, err = file.Seek(low, io.SeekStart)
	return storage(err)
}

// lineFrom reads the first line that begins behind a place; nil when there is none.
func lineFrom(file *os.File, at int64) (start int64, line *chunkLine, err error) {
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return 0, nil, storage(err)
	}
	lines := lineReader{r: bufio.NewReader(file)}
	for skipped := false; !skipped; {
		part, err := lines.r.ReadSlice('\n')
		at += int64(len(part))
		switch {
		case errors.Is(err, io.EOF):
			return 0, nil, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return 0, nil, storage(err)
		}
		skipped = err == nil
	}
	line, err = lines.next()
	return at, line, err
}
