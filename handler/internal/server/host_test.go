package server_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/server"
	"decant/handler/internal/server/api"
)

// TestMain lets the test binary be a custom handler: the real server with a journey that writes down what happens.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_JOURNAL") != "" {
		os.Exit(handlerMain())
	}
	os.Exit(m.Run())
}

var account = event.Account{Name: "acct", Endpoint: "https://acct.blob.core.windows.net"}

func handlerMain() int {
	log := slog.New(azfunc.NewLogHandler(os.Stdout, os.Stderr, slog.LevelInfo))
	prefix, err := azfunc.RoutePrefix(os.Getenv(azfunc.EnvRoot), os.Environ())
	if err != nil {
		log.Error("cannot start", "error", err.Error())
		return azfunc.ExitFailure
	}
	s, err := server.New(server.Options{
		Version: "test", Log: log, Journey: journal{}, Prefix: prefix, API: api.New(api.Options{Version: "test"}),
		Decoder:  event.Decoder{Accounts: []event.Account{account}, Containers: []string{"documents"}},
		Deadline: 300 * time.Millisecond, Settle: 200 * time.Millisecond,
	})
	if err != nil {
		log.Error("cannot start", "error", err.Error())
		return azfunc.ExitFailure
	}
	web := s.HTTPServer(context.Background())
	web.Addr = "127.0.0.1:" + os.Getenv(azfunc.EnvPort)
	err = web.ListenAndServe()
	log.Error("stopped", "error", err.Error())
	return azfunc.ExitFailure
}

// journal is a journey that appends one line per call to a file. The document's name says what is to happen.
type journal struct{}

var journalMu sync.Mutex

func note(format string, args ...any) {
	journalMu.Lock()
	defer journalMu.Unlock()
	f, err := os.OpenFile(os.Getenv("TEST_JOURNAL"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintf(f, format+"\n", args...)
}

func (journal) Convert(ctx context.Context, j job.Job) error {
	note("convert %s %d", j.Source.Path, j.Attempt)
	switch j.Source.Path {
	case "encrypted.pdf":
		return fault.New(fault.Encrypted, "", nil)
	case "storage.pdf":
		return fault.New(fault.Storage, "", nil)
	case "slow.pdf":
		<-ctx.Done()
		return ctx.Err()
	case "stuck.pdf":
		time.Sleep(time.Minute)
	}
	return nil
}

func (journal) Delete(_ context.Context, s job.Source) error { note("delete %s", s.Path); return nil }

func (journal) Reject(_ context.Context, l server.Letter) error {
	note("reject %s", fault.KindOf(l.Reason))
	return nil
}

func (journal) Poison(_ context.Context, l server.Letter) error {
	if c, ok := l.Message.(*event.Convert); ok {
		note("poison %s", c.Job.Source.Path)
		return nil
	}
	note("poison unreadable")
	return nil
}

func (journal) Sweep(context.Context, azfunc.Timer) error { note("sweep"); return nil }

// hosted is the shipped app, run by the stand-in host with the test binary as the handler.
type hosted struct {
	t       *testing.T
	journal string
	queues  *azfunctest.MemoryQueues
	host    *azfunctest.Host
}

const repository = "../../.."

func startHost(t *testing.T) *hosted {
	t.Helper()
	dir := t.TempDir()
	stage(t, "host.json", dir)
	stage(t, "local.settings.json", dir)
	folders, err := filepath.Glob(filepath.Join(repository, "functions", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		stage(t, "functions/"+filepath.Base(folder)+"/function.json", filepath.Join(dir, filepath.Base(folder)))
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{t: t, journal: filepath.Join(t.TempDir(), "journal"), queues: &azfunctest.MemoryQueues{}}
	for _, queue := range []string{"conversions", "conversions-bulk"} {
		if err := h.queues.Create(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
	}
	h.host, err = azfunctest.Start(t.Context(), azfunctest.Options{
		Dir: dir, Queues: h.queues, NoSchedule: true, FunctionKey: "secret",
		Environ: []string{
			"TEST_JOURNAL=" + h.journal,
			"AzureFunctionsJobHost__customHandler__description__defaultExecutablePath=" + executable,
			"AzureFunctionsJobHost__extensions__queues__visibilityTimeout=00:00:00",
			"AzureFunctionsJobHost__extensions__queues__maxPollingInterval=00:00:00.1",
			"AzureFunctionsJobHost__extensions__queues__maxDequeueCount=3",
		},
		Times: azfunctest.Times{MinPoll: 5 * time.Millisecond, Probe: 5 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.host.Crash)
	return h
}

func stage(t *testing.T, name, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (h *hosted) send(text string) {
	h.t.Helper()
	if err := h.queues.Send(h.t.Context(), "conversions", base64.StdEncoding.EncodeToString([]byte(text))); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hosted) upload(name string) {
	h.t.Helper()
	text, err := event.Created(account, job.Source{Account: "acct", Container: "documents", Path: name, ETag: "0x1", Size: 9}, time.Now())
	if err != nil {
		h.t.Fatal(err)
	}
	h.send(string(text))
}

func (h *hosted) lines() []string {
	data, _ := os.ReadFile(h.journal)
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// expect waits until nothing is left in any queue, and compares what the journey was asked for.
func (h *hosted) expect(want ...string) {
	h.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		left := 0
		for _, queue := range []string{"conversions", "conversions-poison"} {
			messages, _ := h.queues.Messages(queue)
			left += len(messages)
		}
		if left == 0 && len(h.lines()) >= len(want) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if diff := cmp.Diff(want, h.lines()); diff != "" {
		h.t.Errorf("journey (-want +got):\n%s", diff)
	}
	if err := h.host.Err(); err != nil {
		h.t.Errorf("the host stopped: %v", err)
	}
}

// TestBehindTheHost sends messages through the host to the server: what each kind of end means for the message.
func TestBehindTheHost(t *testing.T) {
	plain := func(s string) string { return s }
	twice := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	created, _ := event.Created(account, job.Source{Account: "acct", Container: "documents", Path: "ä b.pdf", Size: 9}, time.Now())
	cloud := `{"specversion":"1.0","type":"Microsoft.Storage.BlobCreated","id":"1","source":"/s","data":{"url":"https://acct.blob.core.windows.net/documents/c.pdf"}}`
	tests := []struct {
		name    string
		message string
		want    []string
	}{
		{"event_grid", plain(string(created)), []string{"convert ä b.pdf 1"}},
		{"event_grid_base64_within_base64", twice(string(created)), []string{"convert ä b.pdf 1"}},
		{"cloud_event", cloud, []string{"convert c.pdf 1"}},
		{"own_message", convertMessage, []string{"convert a/report.pdf 1"}},
		{"garbage_once", "garbage", []string{"reject bad_message"}},
		{"valid_base64_garbage_once", "done", []string{"reject bad_message"}},
		{"permanent_fault_once", strings.ReplaceAll(convertMessage, "a/report", "encrypted"), []string{"convert encrypted.pdf 1"}},
		{"mendable_fault_until_poison", strings.ReplaceAll(convertMessage, "a/report", "storage"),
			[]string{"convert storage.pdf 1", "convert storage.pdf 2", "convert storage.pdf 3", "poison storage.pdf"}},
		{"own_deadline_comes_back", strings.ReplaceAll(convertMessage, "a/report", "slow"),
			[]string{"convert slow.pdf 1", "convert slow.pdf 2", "convert slow.pdf 3", "poison slow.pdf"}},
		{"work_that_never_returns_is_left_behind", strings.ReplaceAll(convertMessage, "a/report", "stuck"),
			[]string{"convert stuck.pdf 1", "convert stuck.pdf 2", "convert stuck.pdf 3", "poison stuck.pdf"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := startHost(t)
			h.send(test.message)
			h.expect(test.want...)
		})
	}
}

// TestEventIDDoesNotHideTheAttempt: an event's own id replaces the message's in the metadata; the attempt must survive.
func TestEventIDDoesNotHideTheAttempt(t *testing.T) {
	h := startHost(t)
	h.upload("storage.pdf")
	h.expect("convert storage.pdf 1", "convert storage.pdf 2", "convert storage.pdf 3", "poison storage.pdf")
}

// TestOutside: what people send through the host's front reaches the API and never a queue function.
func TestOutside(t *testing.T) {
	h := startHost(t)
	if err := h.host.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	envelope := queued(strings.ReplaceAll(convertMessage, "a/report", "forged"))
	tests := []struct {
		name, method, path, key string
		status                  int
	}{
		{"health_is_open", "GET", "/api/health", "", 200},
		{"documents_need_a_key", "GET", "/api/documents", "", 401},
		{"documents_with_key", "GET", "/api/documents", "secret", 501},
		{"unknown_address", "GET", "/api/nothing", "secret", 404},
		{"forged_under_prefix", "POST", "/api/convert_bulk", "secret", 404},
		{"forged_at_the_root", "POST", "/convert", "secret", 404},
		{"forged_by_climbing", "POST", "/api/%2e%2e/convert", "secret", 404},
		{"forged_by_escaped_slash", "POST", "/api/..%2fconvert", "secret", 404},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := http.NewRequest(test.method, h.host.URL()+test.path, strings.NewReader(envelope))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json; charset=utf-8")
			if test.key != "" {
				r.Header.Set("x-functions-key", test.key)
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, _ := io.ReadAll(response.Body)
			if response.StatusCode != test.status {
				t.Errorf("%s %s = %d %s, want %d", test.method, test.path, response.StatusCode, body, test.status)
			}
			if len(body) > 0 && !json.Valid(body) {
				t.Errorf("the body is no JSON: %s", body)
			}
		})
	}
	if _, err := os.Stat(h.journal); err == nil {
		t.Errorf("a forged envelope started work: %v", h.lines())
	}
}

func TestTimerBehindTheHost(t *testing.T) {
	h := startHost(t)
	if err := h.host.RunTimer(t.Context(), "sweep"); err != nil {
		t.Fatal(err)
	}
	h.expect("sweep")
}
