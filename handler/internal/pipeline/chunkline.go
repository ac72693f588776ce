package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// parseChunk makes a chunk item of a line: its text's hash, and a hash of all its other fields, in the order of their names and as
// encoding/json writes them.
func parseChunk(line []byte) (ledger.Chunk, error) {
	var head struct {
		ID    string
		Index int
		Text  string
	}
	fields, err := fieldsOf(line)
	if err == nil {
		for _, f := range []struct {
			name string
			to   any
		}{{"id", &head.ID}, {"index", &head.Index}, {"text", &head.Text}} {
			if value := fields.value(f.name); value != nil && err == nil {
				err = json.Unmarshal(value, f.to)
			}
		}
	}
	if err != nil || head.ID == "" {
		return ledger.Chunk{}, fault.New(fault.Internal, "", fmt.Errorf("chunks.jsonl has a line that is not a chunk: %w", err))
	}
	return ledger.Chunk{
		ID:    head.ID,
		Stamp: ledger.Stamp{Text: shortHash([]byte(head.Text)), Place: shortHash(fields.without("text")), Index: head.Index},
		Body:  bytes.Clone(line),
	}, nil
}

// lineFields are the fields of an object, sorted by their names. Values are parts of the line.
type lineFields struct {
	list []member
	flat bool // there are no blanks between marks
}

// fieldsOf takes a line apart. Nearly all lines are as our own writer makes them, without a blank between marks, and can be cut
// without reading what is in them.
func fieldsOf(line []byte) (lineFields, error) {
	if !json.Valid(line) {
		return lineFields{}, errors.New("not JSON")
	}
	fields := lineFields{}
	if fields.list, fields.flat = cutFields(line); !fields.flat {
		values := map[string]json.RawMessage{}
		if err := json.Unmarshal(line, &values); err != nil {
			return fields, err
		}
		fields.list = nil
		for name, value := range values {
			fields.list = append(fields.list, member{name, value})
		}
	}
	slices.SortFunc(fields.list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return fields, nil
}

func (l lineFields) value(name string) []byte { return valueIn(l.list, name) }

func valueIn(list []member, name string) []byte {
	for i := range list {
		if list[i].name == name {
			return list[i].value
		}
	}
	return nil
}

// without writes the fields but one as an object, as encoding/json does.
func (l lineFields) without(name string) []byte {
	raw := []byte{'{'}
	for _, field := range l.list {
		if field.name == name {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		quoted, _ := json.Marshal(field.name) // texts always can be
		raw = append(append(append(raw, quoted...), ':'), field.value...)
	}
	raw = append(raw, '}')
	if !l.flat {
		var flat bytes.Buffer
		_ = json.Compact(&flat, raw) // the line was valid
		raw = flat.Bytes()
	}
	var out bytes.Buffer
	out.Grow(len(raw))
	json.HTMLEscape(&out, raw)
	return out.Bytes()
}

// cutFields cuts an object, valid JSON, into its fields; false where it is no object, a name has escapes in it or comes twice, or blanks
// stand between its marks.
func cutFields(line []byte) (fields []member, ok bool) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return nil, false
	}
	fields = make([]member, 0, 20)
	for at := 1; at < len(line)-1; at++ { // behind the opening brace or a comma
		end := endOfText(line, at)
		if end == 0 || end >= len(line) || line[end] != ':' || bytes.IndexByte(line[at:end], '\\') >= 0 {
			return nil, false
		}
		name, from := string(line[at+1:end-1]), end+1
		if at = endOfValue(line, from); at == 0 || at < len(line)-1 && line[at] != ',' || valueIn(fields, name) != nil {
			return nil, false
		}
		fields = append(fields, member{name, line[from:at]})
	}
	return fields, true
}

// endOfText is where the text ends that begins at a place with its quotation mark; 0 where none begins.
func endOfText(line []byte, at int) int {
	if at >= len(line) || line[at] != '"' {
		return 0
	}
	for at++; at < len(line); at++ {
		switch line[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return 0
}

// endOfValue is where the value ends that begins at a place; 0 where a blank stands before or behind it.
func endOfValue(line []byte, at int) int {
	depth := 0
	for at < len(line) {
		switch c := line[at]; {
		case c == '"':
			if at = endOfText(line, at); at == 0 {
				return 0
			}
			at--
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return at
			}
			depth--
		case c == ',' && depth == 0:
			return at
		case c <= ' ':
			return 0
		}
		at++
	}
	return 0
}
