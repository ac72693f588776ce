package azfunc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Value is one member of an envelope's Data or Metadata, as it stood on the wire.
//
// The host writes objects as objects, dates as plain ISO strings, binary data as plain base64, and everything else as a JSON
// string that holds JSON text: the string hi comes as "\"hi\"", 1 as "1", [1] as "[1]"
// (host: ScriptInvocationContextExtensions.cs). So a value is unwrapped once, and then read; when what was inside is not
// JSON it is taken as it is.
type Value json.RawMessage

// UnmarshalJSON keeps the value as it is.
func (v *Value) UnmarshalJSON(data []byte) error {
	*v = append((*v)[:0], data...)
	return nil
}

// MarshalJSON gives the value as it came; an absent one is null.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return v, nil
}

// IsZero tells that the value is absent or null.
func (v Value) IsZero() bool { return len(v) == 0 || string(v) == "null" }

// IsObject tells that the value came as a JSON object, which happens to timer data and never to a queue message.
func (v Value) IsObject() bool { return bytes.HasPrefix(bytes.TrimSpace(v), []byte("{")) }

// JSON is the value's JSON text with the outer string taken off, if there was one and JSON was inside.
func (v Value) JSON() json.RawMessage {
	var outer string
	if json.Unmarshal(v, &outer) != nil {
		return json.RawMessage(v)
	}
	if json.Valid([]byte(outer)) {
		return json.RawMessage(outer)
	}
	return json.RawMessage(v)
}

// Text is the value as text: the string that the trigger had; for an object or a number, its JSON text; for null, "".
func (v Value) Text() string {
	inner := v.JSON()
	var s string
	if json.Unmarshal(inner, &s) == nil {
		return s
	}
	return string(inner)
}

// Bytes is a value of a binding with dataType "binary": plain base64, not encoded twice.
func (v Value) Bytes() ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(v.Text())
	if err != nil {
		return nil, fmt.Errorf("decode binary value: %w", err)
	}
	return data, nil
}

// Int is the value as a whole number, however it was quoted.
func (v Value) Int() (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(v.Text()))
	if err != nil {
		return 0, fmt.Errorf("read whole number: %w", err)
	}
	return n, nil
}

// layouts are the ways in which .NET writes dates: with an offset, or without one for a date of no known zone (taken as UTC).
var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05"}

// Time is the value as a date in UTC. The host cuts dates to whole seconds. .NET's zero date is the zero time.
func (v Value) Time() (time.Time, error) {
	text := v.Text()
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			if t.Year() <= 1 {
				return time.Time{}, nil
			}
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("read date %.40q", text)
}
