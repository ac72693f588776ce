package azfunc_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"decant/handler/internal/azfunc"
)

// FuzzMessage: whatever a queue message holds, its text comes through the host's encoding unchanged, and metadata that the
// message overrides is not believed.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{"hello", `"hi"`, `{"a":1}`, `{"id":"x","DequeueCount":9}`, "1", "null", "", "aGk=", "[1]", "\u2028\x00", `{"a":1}{`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("the host never passes such a message on")
		}
		inner, _ := json.Marshal(text)
		outer, _ := json.Marshal(string(inner))
		inv, err := azfunc.Decode(request(`{"Data":{"message":` + string(outer) + `},"Metadata":{"DequeueCount":"3"}}`))
		if err != nil {
			t.Fatal(err)
		}
		m, err := inv.Message("message")
		if err != nil || m.Text != text {
			t.Errorf("Text = %q, %v, want %q", m.Text, err, text)
		}
		if m.DequeueCount != 3 && len(m.Shadowed) == 0 {
			t.Errorf("DequeueCount = %d of an honest message", m.DequeueCount)
		}
	})
}

// FuzzDecode: no envelope, however wrong, ends in a panic.
func FuzzDecode(f *testing.F) {
	f.Add(`{"Data":{"timer":{"ScheduleStatus":{"Last":"2026-11-02T10:00:00Z"}}},"Metadata":{"sys":{}}}`)
	f.Add(`{"Data":{"timer":null},"Metadata":null}`)
	f.Add(`{"Data":{"timer":[]},"Metadata":[]}`)
	f.Fuzz(func(t *testing.T, body string) {
		inv, err := azfunc.Decode(request(body))
		if err != nil {
			return
		}
		for name, value := range inv.Data {
			_, _ = inv.Message(name)
			_, _ = inv.Timer(name)
			_, _ = value.Bytes()
			_, _ = value.Time()
			_, _ = value.Int()
		}
	})
}
