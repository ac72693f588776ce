package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"decant/handler/internal/job"
)

// ownText makes another document's document.json or chunks.jsonl this document's: its id, and in document.json where it lies.
func ownText(name string, text []byte, other, own job.Source) ([]byte, error) {
	text = bytes.ReplaceAll(text, []byte(other.ID()), []byte(own.ID()))
	if name != job.JSONFile {
		return text, nil
	}
	from, to, err := findMember(text, "source")
	if err != nil || to == 0 {
		return text, err
	}
	source, err := parseMembers(text[from:to])
	if err != nil {
		return nil, err
	}
	source.set("name", own.Name())
	source.set("path", own.Path)
	source.set("mediaType", own.MediaType)
	source.set("parent", string(own.Parent))
	return slices.Concat(text[:from], source.marshal(), text[to:]), nil
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
