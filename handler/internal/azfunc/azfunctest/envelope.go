package azfunctest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// isoLayout is how the host writes dates: cut to whole seconds, not encoded twice.
const isoLayout = "2006-01-02T15:04:05-07:00"

type envelope struct {
	Data     map[string]json.RawMessage
	Metadata map[string]json.RawMessage
}

func (e envelope) marshal() []byte { return encode(e) }

// encode writes JSON without escaping <, > and &, as the host does.
func encode(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("azfunctest: internal error: " + err.Error())
	}
	return bytes.TrimRight(buffer.Bytes(), "\n")
}

// twice is a JSON string that holds the JSON text of a value: how strings and numbers travel.
func twice(value any) json.RawMessage { return encode(string(encode(value))) }

func isoDate(t time.Time) json.RawMessage { return encode(t.UTC().Format(isoLayout)) }

// queueEnvelope builds what a queue-triggered function gets. body is the message after decoding.
func queueEnvelope(f *function, body []byte, m QueueMessage) []byte {
	e := envelope{Data: map[string]json.RawMessage{}, Metadata: map[string]json.RawMessage{
		"DequeueCount":    twice(m.DequeueCount),
		"Id":              twice(m.ID),
		"PopReceipt":      twice(m.Receipt),
		"InsertionTime":   isoDate(m.Inserted),
		"ExpirationTime":  isoDate(m.Expires),
		"NextVisibleTime": isoDate(m.NextVisible),
		"sys":             sys(f),
	}}
	if strings.EqualFold(f.trigger.DataType, "binary") {
		e.Data[f.trigger.Name] = encode(base64.StdEncoding.EncodeToString(body))
	} else {
		e.Data[f.trigger.Name] = twice(string(body))
	}
	leak(e.Metadata, body)
	return e.marshal()
}

// leak puts the top-level fields of a JSON message into the metadata, where they replace what is there, whatever its case
// (host: Utility.cs, WorkerFunctionInvoker.cs). Arrays and nulls stay out, and so does every key that ends in "trigger".
func leak(metadata map[string]json.RawMessage, body []byte) {
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || decoder.Decode(&fields) != nil {
		return
	}
	for name, value := range fields {
		encoded := leaked(value)
		if encoded == nil || strings.HasSuffix(strings.ToLower(name), "trigger") {
			continue
		}
		key := name
		for existing := range metadata {
			if strings.EqualFold(existing, name) {
				key = existing
			}
		}
		metadata[key] = encoded
	}
}

func leaked(value any) json.RawMessage {
	switch v := value.(type) {
	case nil, []any:
		return nil
	case map[string]any:
		return encode(v)
	case bool:
		if v {
			return twice("True")
		}
		return twice("False")
	default:
		return twice(fmt.Sprint(v))
	}
}

func sys(f *function) json.RawMessage {
	return encode(map[string]string{"MethodName": f.name, "UtcNow": time.Now().UTC().Format(isoLayout), "RandGuid": uuid.NewString()})
}

// timerEnvelope builds what a timer-triggered function gets; last is zero at the first run.
func timerEnvelope(f *function, last, next time.Time, pastDue bool) []byte {
	info := map[string]any{"Schedule": map[string]any{"AdjustForDST": true}, "ScheduleStatus": nil, "IsPastDue": pastDue}
	if !last.IsZero() {
		info["ScheduleStatus"] = map[string]json.RawMessage{"Last": isoDate(last), "Next": isoDate(next), "LastUpdated": isoDate(last)}
	}
	return envelope{
		Data:     map[string]json.RawMessage{f.trigger.Name: encode(info)},
		Metadata: map[string]json.RawMessage{"sys": sys(f)},
	}.marshal()
}
