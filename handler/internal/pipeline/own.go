package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// headSize is within how many bytes at the start of document.json its member "source" ends.
const headSize = 1 << 20

// copyOwn copies another document's document.json or chunks.jsonl as this document's: with its id, and in document.json with where
// it lies. It gives the number of bytes written, and refuses to write more than limit.
func copyOwn(w io.Writer, r io.Reader, name string, other, own job.Source, limit int64) (int64, error) {
	out := &ownWriter{w: w, from: []byte(other.ID()), to: []byte(own.ID()), limit: limit}
	if name == job.JSONFile {
		head, err := io.ReadAll(io.LimitReader(r, headSize))
		if err != nil {
			return 0, err
		}
		if head, err = ownSource(head, own); err != nil {
			return 0, err
		}
		if _, err := out.Write(head); err != nil {
			return 0, err
		}
	}
	if _, err := io.Copy(out, r); err != nil {
		return 0, err
	}
	return out.end()
}

// ownSource changes the member "source" at the start of a document.json.
func ownSource(head []byte, own job.Source) ([]byte, error) {
	from, to, err := findMember(head, "source")
	if err != nil || to == 0 {
		return head, err
	}
	source, err := parseMembers(head[from:to])
	if err != nil {
		return nil, err
	}
	source.set("name", own.Name())
	source.set("path", own.Path)
	source.set("mediaType", own.MediaType)
	source.set("parent", string(own.Parent))
	return slices.Concat(head[:from], source.marshal(), head[to:]), nil
}

// ownWriter writes what it is given with one id in the place of another, also where it comes in two pieces.
type ownWriter struct {
	w        io.Writer
	from, to []byte
	kept     []byte // not written yet: the beginning of an id may be in it
	limit    int64
	written  int64
}

// Write implements io.Writer.
func (o *ownWriter) Write(p []byte) (int, error) {
	rest := append(o.kept, p...)
	for {
		at := bytes.Index(rest, o.from)
		if at < 0 {
			break
		}
		if err := errors.Join(o.put(rest[:at]), o.put(o.to)); err != nil {
			return 0, err
		}
		rest = rest[at+len(o.from):]
	}
	sure := max(0, len(rest)-len(o.from)+1)
	if err := o.put(rest[:sure]); err != nil {
		return 0, err
	}
	o.kept = append(o.kept[:0], rest[sure:]...)
	return len(p), nil
}

// end writes what was kept, and gives the number of bytes written.
func (o *ownWriter) end() (int64, error) {
	err := o.put(o.kept)
	return o.written, err
}

func (o *ownWriter) put(p []byte) error {
	if o.written+int64(len(p)) > o.limit {
		return fault.New(fault.LimitOutput, "", nil)
	}
	n, err := o.w.Write(p)
	o.written += int64(n)
	return err
}

// findMember finds where the value of an object's member stands in a JSON text; to is 0 when there is no such member. What comes
// behind it is not read.
func findMember(text []byte, name string) (from, to int64, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return 0, 0, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return 0, 0, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return 0, 0, err
		}
		if key == name {
			return d.InputOffset() - int64(len(value)), d.InputOffset(), nil
		}
	}
	return 0, 0, nil
}

// members are an object's, in their order.
type members []member

type member struct {
	name  string
	value json.RawMessage
}

func parseMembers(text []byte) (list members, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.Join(errors.New("not an object"), err)
	}
	for d.More() {
		var m member
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m.name, _ = key.(string) // the decoder gives nothing else in this place
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// set gives a member a text; an empty one removes it.
func (l *members) set(name, text string) {
	value, _ := json.Marshal(text) // texts always can be
	i := slices.IndexFunc(*l, func(m member) bool { return m.name == name })
	switch {
	case text == "" && i >= 0:
		*l = slices.Delete(*l, i, i+1)
	case text == "":
	case i >= 0:
		(*l)[i].value = value
	default:
		*l = append(*l, member{name, value})
	}
}

func (l members) marshal() []byte {
	out := []byte{'{'}
	for i, m := range l {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.name) // texts always can be
		out = append(append(append(out, name...), ':'), m.value...)
	}
	return append(out, '}')
}
