package azfunc

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// Answer is the reply to an invocation. The zero Answer is a success that says nothing more.
type Answer struct {
	// Outputs are the values of output bindings. Their names are case-sensitive. Use SetText, SetBytes and SetObject.
	Outputs map[string]any `json:"Outputs,omitempty"`
	// Logs are lines for the function's own log, one record each. The host drops them unless the status is 2xx.
	Logs []string `json:"Logs,omitempty"`
	// ReturnValue goes to the binding named $return.
	ReturnValue any `json:"ReturnValue,omitempty"`
}

// SetText sends text to an output binding without dataType "binary". The host would decode any string that happens to be
// valid base64, such as "done" or an id of 32 hexadecimal digits (host: HttpScriptInvocationResultExtensions.cs), so such a
// text travels as the base64 of itself. The queue binding also takes apart texts that look like JSON arrays.
func (a *Answer) SetText(binding, text string) {
	if looksLikeBase64(text) {
		a.SetBytes(binding, []byte(text))
		return
	}
	a.set(binding, text)
}

// SetBytes sends bytes to an output binding without dataType "binary".
func (a *Answer) SetBytes(binding string, data []byte) {
	a.set(binding, base64.StdEncoding.EncodeToString(data))
}

// SetObject sends a value that marshals to a JSON object, which the host passes on as JSON.
func (a *Answer) SetObject(binding string, value any) { a.set(binding, value) }

func (a *Answer) set(binding string, value any) {
	if a.Outputs == nil {
		a.Outputs = map[string]any{}
	}
	a.Outputs[binding] = value
}

// looksLikeBase64 tells whether .NET's Convert.FromBase64String would take the text, white space and all.
func looksLikeBase64(text string) bool {
	compact := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, text)
	_, err := base64.StdEncoding.DecodeString(compact)
	return err == nil
}

// Write sends the answer: always application/json, always with a body of at least {}.
//
// A 2xx answer with an empty body, or with null, never completes in the host; one with another content type fails the
// invocation (host: DefaultHttpWorkerService.cs). With any status but 2xx the host fails the invocation and brings a queue
// message back; it then throws body, outputs and logs away.
func (a Answer) Write(w http.ResponseWriter, status int) error {
	if status == http.StatusNoContent || status == http.StatusResetContent || status == http.StatusNotModified {
		status = http.StatusOK // these statuses may have no body
	}
	body, err := json.Marshal(a)
	if err != nil {
		body, status = []byte(`{}`), http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if _, writeErr := w.Write(body); writeErr != nil {
		return writeErr
	}
	return err
}
