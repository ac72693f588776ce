package azfunc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Message is what a queueTrigger got.
type Message struct {
	Text string // the body, after the host's own base64 decoding
	QueueMetadata
	// Shadowed names the metadata that a field of the message has replaced, sorted. What is named here is left zero above.
	Shadowed []string
}

// QueueMetadata is what the host says about a queue message. A field that is absent, unreadable or shadowed is zero.
type QueueMetadata struct {
	ID              string
	PopReceipt      string
	DequeueCount    int // 1 at the first delivery; 0 when unknown
	InsertionTime   time.Time
	ExpirationTime  time.Time
	NextVisibleTime time.Time
}

// ReservedNames are the metadata of a queue trigger. A message field with one of these names, in any case, replaces what the
// host says (extension: QueueTriggerBinding.cs; host: Utility.cs, WorkerFunctionInvoker.cs), so our own messages have none.
var ReservedNames = []string{
	"DequeueCount", "Id", "PopReceipt", "InsertionTime", "ExpirationTime", "NextVisibleTime", "QueueTrigger", "RetryContext", "sys",
}

// Message reads a queue-triggered invocation. It fails only if the binding is not there.
//
// A message that looks like a JSON object puts its top-level fields into the metadata, where they win over the host's values;
// an Event Grid event does so with its id. Metadata is therefore believed only where the message has no such field.
func (i *Invocation) Message(binding string) (Message, error) {
	value, ok := i.Value(binding)
	if !ok {
		return Message{}, fmt.Errorf("%w: function %q has no binding %q", ErrEnvelope, i.Function, binding)
	}
	m := Message{Text: value.Text()}
	m.Shadowed = shadowed(m.Text)
	for name, set := range m.setters() {
		if slices.Contains(m.Shadowed, name) {
			continue
		}
		if v, ok := lookup(i.Metadata, name); ok && !v.IsZero() {
			set(v)
		}
	}
	return m, nil
}

func (m *Message) setters() map[string]func(Value) {
	text := func(field *string) func(Value) { return func(v Value) { *field = v.Text() } }
	date := func(field *time.Time) func(Value) { return func(v Value) { *field, _ = v.Time() } }
	return map[string]func(Value){
		"Id":              text(&m.ID),
		"PopReceipt":      text(&m.PopReceipt),
		"DequeueCount":    func(v Value) { m.DequeueCount, _ = v.Int() },
		"InsertionTime":   date(&m.InsertionTime),
		"ExpirationTime":  date(&m.ExpirationTime),
		"NextVisibleTime": date(&m.NextVisibleTime),
	}
}

// shadowed lists the reserved names that the message's own fields replace. Arrays and nulls do not get into the metadata.
func shadowed(text string) []string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &fields) != nil {
		return nil
	}
	var names []string
	for _, reserved := range ReservedNames {
		for field, value := range fields {
			if strings.EqualFold(field, reserved) && string(value) != "null" && value[0] != '[' {
				names = append(names, reserved)
				break
			}
		}
	}
	slices.Sort(names)
	return names
}
