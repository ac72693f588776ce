package event

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/fault"
)

// MaxBytes is the largest message that is read: what a storage queue holds.
const MaxBytes = 64 << 10

// Account is a storage account whose documents are converted.
type Account struct {
	Name     string // as in job.Source.Account
	Endpoint string // of its blob service: https://name.blob.core.windows.net, http://127.0.0.1:10000/devstoreaccount1
}

// Decoder reads queue messages.
type Decoder struct {
	Accounts []Account
	// Containers are those that are watched; an event about another one, such as decant's own results, is Ignored. None: all.
	Containers []string
	// Tokenizers are allowed in options besides those that come with decant: the one that the app is configured with.
	Tokenizers []string
}

// Decode reads the text of a queue message. Every error is of kind fault.BadMessage.
func (d *Decoder) Decode(text string) (Message, error) {
	object, err := open(text)
	if err != nil {
		return nil, err
	}
	var form struct {
		Schema      string          `json:"schema"`
		SpecVersion string          `json:"specversion"`
		EventType   string          `json:"eventType"`
		Data        json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(object, &form); err != nil {
		return nil, bad("The queue message is not readable: "+JSONProblem(err)+".", err)
	}
	switch {
	case form.Schema != "":
		return d.own(object)
	case form.SpecVersion != "":
		return d.cloudEvent(object)
	case form.EventType != "" && form.Data != nil:
		return d.gridEvent(object)
	}
	return nil, bad("", nil)
}

// Plain gives a message's text without base64, where there is a JSON text in it; else as it is.
func Plain(text string) string {
	if body, err := decoded(text); err == nil {
		return string(body)
	}
	return text
}

// wrappings is how often a message may be in base64: by who sent it, and by who passed it on.
const wrappings = 2

// decoded takes base64 off a text until JSON is left.
func decoded(text string) ([]byte, error) {
	body := trim([]byte(text))
	for range wrappings {
		if looksLikeJSON(body) {
			break
		}
		inner, err := base64.StdEncoding.DecodeString(string(body))
		if err != nil {
			return nil, bad("", err)
		}
		body = trim(inner)
	}
	if !looksLikeJSON(body) {
		return nil, bad("", nil)
	}
	return body, nil
}

// open gives the one JSON object of a message, taking off base64 and an array of one.
func open(text string) ([]byte, error) {
	if len(text) > MaxBytes {
		return nil, bad("The queue message is larger than 64 KiB, which no storage queue holds.", nil)
	}
	body, err := decoded(text)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(body) {
		return nil, bad("The queue message is not UTF-8 text.", nil)
	}
	if body[0] == '{' {
		return body, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, bad("The queue message is not readable: "+JSONProblem(err)+".", err)
	}
	if len(list) != 1 {
		return nil, fault.Newf(fault.BadMessage, "The queue message holds %d events; one event a message is expected. Send each on its own.", len(list))
	}
	if inner := trim(list[0]); len(inner) > 0 && inner[0] == '{' {
		return inner, nil
	}
	return nil, bad("", nil)
}

func trim(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("\ufeff")))
}

func looksLikeJSON(body []byte) bool {
	return len(body) > 0 && (body[0] == '{' || body[0] == '[')
}

func bad(words string, err error) error { return fault.New(fault.BadMessage, words, err) }

// JSONProblem is what is wrong with a JSON text, in words of JSON: encoding/json speaks of types in Go.
func JSONProblem(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return strings.TrimPrefix(err.Error(), "json: ")
	case wrong.Field == "":
		return "an object is expected, not " + article(wrong.Value)
	}
	return wrong.Field + ": " + article(wrong.Value) + " does not go here"
}

// article puts one before what encoding/json calls a value: array, object, string, bool, number, number 1e30.
func article(value string) string {
	if strings.HasPrefix(value, "array") || strings.HasPrefix(value, "object") {
		return "an " + value
	}
	return "a " + value
}
