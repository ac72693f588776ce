package doctor_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/doctor"
	"decant/handler/internal/fault"
	"decant/handler/internal/mem"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "allocate" {
		doctor.Allocate(os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// queues is a queue service in memory. It refuses the operation named by deny, and its clock is off by skew.
type queues struct {
	deny     string
	skew     time.Duration
	messages map[string][]doctor.Message
	raw      bool // stores without base64
}

func (q *queues) may(operation string) error {
	if q.deny == operation {
		return fault.New(fault.Denied, "", nil)
	}
	return nil
}

func (q *queues) Create(context.Context, string) error { return q.may("create") }

func (q *queues) Enqueue(_ context.Context, queue string, body []byte, _ time.Duration) error {
	text := base64.StdEncoding.EncodeToString(body)
	if q.raw {
		text = "{" + string(body)
	}
	if q.messages == nil {
		q.messages = map[string][]doctor.Message{}
	}
	m := doctor.Message{ID: strconv.Itoa(len(q.messages[queue])), Text: text, Inserted: time.Now().Add(q.skew)}
	q.messages[queue] = append(q.messages[queue], m)
	return q.may("send")
}

func (q *queues) Receive(_ context.Context, queue string, _ int, _ time.Duration) ([]doctor.Message, error) {
	return q.messages[queue], q.may("receive")
}

func (q *queues) Peek(_ context.Context, queue string) ([]doctor.Message, error) {
	return q.messages[queue], q.may("peek")
}

func (q *queues) Hide(context.Context, string, string, string, time.Duration) (string, error) {
	return "receipt", q.may("renew")
}

func (q *queues) Delete(_ context.Context, queue, id, _ string) error {
	if err := q.may("delete"); err != nil {
		return err
	}
	var rest []doctor.Message
	for _, m := range q.messages[queue] {
		if m.ID != id {
			rest = append(rest, m)
		}
	}
	q.messages[queue] = rest
	return nil
}

func (q *queues) Length(_ context.Context, queue string) (int64, error) {
	return int64(len(q.messages[queue])), q.may("length")
}

func only(t *testing.T, c doctor.Check) doctor.Finding {
	t.Helper()
	return doctor.Run(t.Context(), []doctor.Check{c})[0]
}

func TestQueueRoles(t *testing.T) {
	tests := []struct {
		name  string
		queue queues
		level doctor.Level
		word  string
	}{
		{"everything allowed", queues{}, doctor.OK, "renewed"},
		{"Message Processor instead of Data Contributor", queues{deny: "renew"}, doctor.Failed, "Update Message"},
		{"may not send", queues{deny: "send"}, doctor.Failed, "send a message"},
		{"may not make queues", queues{deny: "create"}, doctor.Failed, "make a queue"},
		{"may not delete", queues{deny: "delete"}, doctor.Failed, "delete a message"},
		{"a clock that is off", queues{skew: 5 * time.Minute}, doctor.Advice, "clock"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := only(t, doctor.QueueRoles(&tt.queue, time.Now))
			if f.Level != tt.level || !strings.Contains(f.Text, tt.word) {
				t.Errorf("%+v", f)
			}
			if f.Level != doctor.OK && f.Do == "" {
				t.Errorf("nothing is said about what to do: %+v", f)
			}
			if tt.queue.deny == "" && len(tt.queue.messages[doctor.ScratchQueue]) > 0 {
				t.Error("a message is left behind")
			}
		})
	}
}

func TestQueue(t *testing.T) {
	plain, good := &queues{raw: true}, &queues{}
	for _, q := range []*queues{plain, good} {
		if err := q.Enqueue(t.Context(), "q", []byte("x"), 0); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		queues *queues
		poison bool
		level  doctor.Level
	}{
		{"plain text in a base64 queue", plain, false, doctor.Advice},
		{"messages that wait", good, false, doctor.OK},
		{"messages that the poison function should have taken", good, true, doctor.Advice},
		{"an empty poison queue", &queues{}, true, doctor.OK},
		{"a queue that may not be read", &queues{deny: "length"}, false, doctor.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if f := only(t, doctor.Queue(tt.queues, "q", tt.poison, time.Now)); f.Level != tt.level {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	identity := map[string]string{"AzureWebJobsStorage__credential": "managedidentity", "DocStorage__credential": "managedidentity", "DocStorage__clientId": "x", "AZURE_CLIENT_ID": "x"}
	tests := []struct {
		name, setting, value string
		level                doctor.Level
	}{
		{"identity only", "OTHER", "", doctor.OK},
		{"an injected connection string", "AzureWebJobsStorage", "DefaultEndpointsProtocol=https", doctor.Failed},
		{"one URI for all services", "AzureWebJobsStorage__serviceUri", "https://x", doctor.Failed},
		{"messages in base64 only", "AzureFunctionsJobHost__extensions__queues__messageEncoding", "base64", doctor.Failed},
		{"decant does not know which identity", "AZURE_CLIENT_ID", "", doctor.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			get := func(name string) string {
				if name == tt.setting {
					return tt.value
				}
				return identity[name]
			}
			if f := only(t, doctor.Settings(get)); f.Level != tt.level {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestBlobsAndLedger(t *testing.T) {
	letters := &mem.Letters{}
	for _, c := range []doctor.Check{doctor.Blobs("c", letters), doctor.Ledger(&mem.Store{}, time.Now)} {
		if f := only(t, c); f.Level != doctor.OK {
			t.Errorf("%+v", f)
		}
	}
	if names, _, err := letters.List(t.Context(), "", ""); err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

func TestMemoryCap(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := only(t, doctor.MemoryCap([]string{self, "allocate"}))
	if f.Level == doctor.Skipped {
		t.Skip(f.Text)
	}
	if f.Level != doctor.OK {
		t.Errorf("%+v", f)
	}
	if f := only(t, doctor.MemoryCap([]string{"/bin/echo", "survived"})); f.Level != doctor.Advice {
		t.Errorf("a cap that does not hold: %+v", f)
	}
}

func TestLogQueues(t *testing.T) {
	q := &queues{skew: -2 * time.Hour}
	if err := q.Enqueue(t.Context(), "slow", []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	doctor.LogQueues(t.Context(), q, []string{"slow", "empty"}, time.Now(), slog.New(slog.NewJSONHandler(&out, nil)))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	var line struct {
		Msg, Queue            string
		Length, OldestSeconds int64
	}
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil {
		t.Fatal(err)
	}
	if line.Msg != "queue" || line.Queue != "slow" || line.Length != 1 || line.OldestSeconds < 7190 {
		t.Errorf("%+v", line)
	}
}
