package azfunc_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/azfunc"
)

func request(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(body))
	r.Header.Set(azfunc.HeaderInvocationID, "7a1c")
	r.Header.Set(azfunc.HeaderHostVersion, "4.1037.0")
	return r
}

func TestValueText(t *testing.T) {
	tests := []struct{ name, wire, want string }{
		{"string_is_encoded_twice", `"\"hello\""`, `hello`},
		{"json_message_needs_two_rounds", `"\"{\\\"a\\\":1}\""`, `{"a":1}`},
		{"message_that_is_a_json_string_keeps_its_quotes", `"\"\\\"hi\\\"\""`, `"hi"`},
		{"number_message", `"\"1\""`, `1`},
		{"number_value", `"1"`, `1`},
		{"array_value", `"[1,2]"`, `[1,2]`},
		{"object_is_taken_as_is", `{"a":1}`, `{"a":1}`},
		{"base64_of_binary_is_not_json", `"aGVsbG8="`, `aGVsbG8=`},
		{"date_is_not_json", `"2026-11-02T10:00:00+00:00"`, `2026-11-02T10:00:00+00:00`},
		{"single_encoded_by_another_host", `"hello world"`, `hello world`},
		{"empty_string", `"\"\""`, ``},
		{"bare_empty", `""`, ``},
		{"null", `null`, ``},
		{"line_breaks_and_unicode", `"\"a\\nü\\u2028\""`, "a\nü\u2028"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := azfunc.Value(test.wire).Text(); got != test.want {
				t.Errorf("Value(%s).Text() = %q, want %q", test.wire, got, test.want)
			}
		})
	}
}

func TestValueBytes(t *testing.T) {
	for name, wire := range map[string]string{"plain": `"aGk="`, "encoded_twice": `"\"aGk=\""`} {
		got, err := azfunc.Value(wire).Bytes()
		if err != nil || string(got) != "hi" {
			t.Errorf("%s: Bytes() = %q, %v, want hi", name, got, err)
		}
	}
	if _, err := azfunc.Value(`"\"not base64!\""`).Bytes(); err == nil {
		t.Error("text that is not base64 was taken as bytes")
	}
}

func TestValueTime(t *testing.T) {
	want := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	tests := []struct {
		name, wire string
		want       time.Time
		fails      bool
	}{
		{"plain_iso_with_offset", `"2026-11-02T12:00:00+02:00"`, want, false},
		{"zulu", `"2026-11-02T10:00:00Z"`, want, false},
		{"seven_digits_of_a_second", `"2026-11-02T10:00:00.0000000Z"`, want, false},
		{"without_zone_is_utc", `"2026-11-02T10:00:00"`, want, false},
		{"encoded_twice", `"\"2026-11-02T10:00:00Z\""`, want, false},
		{"dotnet_zero", `"0001-01-01T00:00:00"`, time.Time{}, false},
		{"not_a_date", `"yesterday"`, time.Time{}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := azfunc.Value(test.wire).Time()
			if !got.Equal(test.want) || (err != nil) != test.fails {
				t.Errorf("Value(%s).Time() = %v, %v, want %v, error %v", test.wire, got, err, test.want, test.fails)
			}
		})
	}
}

const metadata = `{"DequeueCount":"3","Id":"\"0c2e\"","PopReceipt":"\"AgAA\"","InsertionTime":"2026-11-02T10:00:00+00:00",` +
	`"ExpirationTime":"2026-11-09T10:00:00+00:00","NextVisibleTime":"2026-11-02T10:10:00+00:00","sys":{"MethodName":"convert"}}`

func TestMessage(t *testing.T) {
	full := azfunc.QueueMetadata{
		ID: "0c2e", PopReceipt: "AgAA", DequeueCount: 3,
		InsertionTime:   time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC),
		ExpirationTime:  time.Date(2026, 11, 9, 10, 0, 0, 0, time.UTC),
		NextVisibleTime: time.Date(2026, 11, 2, 10, 10, 0, 0, time.UTC),
	}
	noID, noCount := full, full
	noID.ID, noCount.DequeueCount = "", 0
	tests := []struct {
		name, text, metadata string
		want                 azfunc.Message
	}{
		{"plain_text", `hello`, metadata, azfunc.Message{Text: "hello", QueueMetadata: full}},
		{"json_without_reserved_names", `{"a":1}`, metadata, azfunc.Message{Text: `{"a":1}`, QueueMetadata: full}},
		{"event_id_shadows_the_message_id", `{"id":"831e"}`, strings.Replace(metadata, `"\"0c2e\""`, `"\"831e\""`, 1),
			azfunc.Message{Text: `{"id":"831e"}`, QueueMetadata: noID, Shadowed: []string{"Id"}}},
		{"any_case_shadows", `{"dequeuecount":99}`, strings.Replace(metadata, `"3"`, `"\"99\""`, 1),
			azfunc.Message{Text: `{"dequeuecount":99}`, QueueMetadata: noCount, Shadowed: []string{"DequeueCount"}}},
		{"arrays_and_nulls_do_not_shadow", `{"id":null,"dequeueCount":[1]}`, metadata,
			azfunc.Message{Text: `{"id":null,"dequeueCount":[1]}`, QueueMetadata: full}},
		{"no_metadata_at_all", `x`, `null`, azfunc.Message{Text: "x"}},
		{"metadata_of_the_wrong_kind", `x`, `{"DequeueCount":"\"True\"","InsertionTime":{}}`, azfunc.Message{Text: "x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inner, _ := json.Marshal(test.text)
			outer, _ := json.Marshal(string(inner))
			invocation, err := azfunc.Decode(request(`{"Data":{"message":` + string(outer) + `},"Metadata":` + test.metadata + `}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := invocation.Message("message")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	got, err := azfunc.Decode(request(`{"Data":{"Message":"\"x\""},"Metadata":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != "7a1c" || got.HostVersion != "4.1037.0" || got.Function != "convert" {
		t.Errorf("Decode() = %+v, want id, version and function of the request", got)
	}
	if m, err := got.Message("message"); err != nil || m.Text != "x" {
		t.Errorf("a binding that differs in case only was not found: %v", err)
	}
	if _, err := got.Message("other"); !errors.Is(err, azfunc.ErrEnvelope) {
		t.Errorf("Message(other) = %v, want ErrEnvelope", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	get := request(`{}`)
	get.Method = http.MethodGet
	tests := []struct {
		name    string
		request *http.Request
	}{
		{"get", get},
		{"empty_body", request(``)},
		{"null", request(`null`)},
		{"no_data", request(`{"Metadata":{}}`)},
		{"array", request(`[]`)},
		{"more_than_the_limit", request(`{"Data":{"a":"` + strings.Repeat("x", azfunc.MaxEnvelope) + `"}}`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := azfunc.Decode(test.request); !errors.Is(err, azfunc.ErrEnvelope) {
				t.Errorf("Decode() = %v, want ErrEnvelope", err)
			}
		})
	}
}

func TestTimer(t *testing.T) {
	last := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	tests := []struct {
		name, data string
		want       azfunc.Timer
	}{
		{"object", `{"Schedule":{"AdjustForDST":true},"ScheduleStatus":{"Last":"2026-11-02T10:00:00+00:00","Next":"2026-11-02T10:05:00+00:00","LastUpdated":"2026-11-02T10:00:00+00:00"},"IsPastDue":true}`,
			azfunc.Timer{IsPastDue: true, Last: last, Next: last.Add(5 * time.Minute), LastUpdated: last}},
		{"status_null_at_the_first_run", `{"Schedule":{},"ScheduleStatus":null,"IsPastDue":false}`, azfunc.Timer{}},
		{"encoded_twice", `"{\"IsPastDue\":true}"`, azfunc.Timer{IsPastDue: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			invocation, err := azfunc.Decode(request(`{"Data":{"timer":` + test.data + `},"Metadata":{"sys":{}}}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := invocation.Timer("timer")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Timer (-want +got):\n%s", diff)
			}
		})
	}
}
