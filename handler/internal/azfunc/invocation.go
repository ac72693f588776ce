package azfunc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// MaxEnvelope bounds an envelope in bytes. A queue message has 64 KiB at most and appears twice, escaped, so this is ample.
const MaxEnvelope = 4 << 20

// ErrEnvelope is in the chain of every error of Decode: the request is not one that the host makes.
var ErrEnvelope = errors.New("not an invocation of the Functions host")

// Invocation is one call of the host for a trigger that is not HTTP.
type Invocation struct {
	ID          string // of this attempt only; a redelivery has another one
	HostVersion string
	Function    string // name of the function: the request's path
	Data        map[string]Value
	Metadata    map[string]Value
}

// Decode reads the envelope that the host POSTs to /<FunctionName>: an object with the members Data and Metadata
// (host: HttpScriptInvocationContext.cs). It reads at most MaxEnvelope bytes.
func Decode(r *http.Request) (*Invocation, error) {
	if r.Method != http.MethodPost {
		return nil, fmt.Errorf("%w: method %s", ErrEnvelope, r.Method)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxEnvelope+1))
	if err != nil {
		return nil, fmt.Errorf("read envelope: %w", err)
	}
	if len(body) > MaxEnvelope {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrEnvelope, MaxEnvelope)
	}
	var envelope struct {
		Data     map[string]Value
		Metadata map[string]Value
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	if envelope.Data == nil {
		return nil, fmt.Errorf("%w: no Data", ErrEnvelope)
	}
	return &Invocation{
		ID:          r.Header.Get(HeaderInvocationID),
		HostVersion: r.Header.Get(HeaderHostVersion),
		Function:    strings.TrimPrefix(r.URL.Path, "/"),
		Data:        envelope.Data,
		Metadata:    envelope.Metadata,
	}, nil
}

// Value is the value of a binding. The host keeps the casing of function.json, but people change it: the exact name wins,
// then one that differs in case only.
func (i *Invocation) Value(binding string) (Value, bool) { return lookup(i.Data, binding) }

func lookup(values map[string]Value, name string) (Value, bool) {
	if v, ok := values[name]; ok {
		return v, true
	}
	for key, v := range values {
		if strings.EqualFold(key, name) {
			return v, true
		}
	}
	return nil, false
}
