package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/server"
)

// journey notes what it is asked for and answers what a test tells it.
type journey struct {
	mu     sync.Mutex
	calls  []string
	jobs   []job.Job
	letter server.Letter
	do     func(context.Context) error
}

func (j *journey) note(ctx context.Context, call string) error {
	j.mu.Lock()
	j.calls = append(j.calls, call)
	j.mu.Unlock()
	if j.do == nil {
		return nil
	}
	return j.do(ctx)
}

func (j *journey) Convert(ctx context.Context, asked job.Job) error {
	j.jobs = append(j.jobs, asked)
	return j.note(ctx, "convert "+asked.Source.Path)
}
func (j *journey) Delete(ctx context.Context, s job.Source) error {
	return j.note(ctx, "delete "+s.Path)
}
func (j *journey) Reject(ctx context.Context, l server.Letter) error {
	j.letter = l
	return j.note(ctx, "reject "+string(fault.KindOf(l.Reason)))
}
func (j *journey) Poison(ctx context.Context, l server.Letter) error {
	j.letter = l
	return j.note(ctx, "poison "+l.Queue)
}
func (j *journey) Sweep(ctx context.Context, timer azfunc.Timer) error {
	if timer.IsPastDue {
		return j.note(ctx, "sweep late")
	}
	return j.note(ctx, "sweep")
}

type commands struct {
	got []event.Message
	err error
}

func (c *commands) Handle(_ context.Context, m event.Message) error {
	c.got = append(c.got, m)
	return c.err
}

func newServer(t *testing.T, j *journey, change func(*server.Options)) (*server.Server, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	options := server.Options{
		Version: "1.2.3", Log: slog.New(azfunc.NewLogHandler(&log, &log, slog.LevelInfo)), Journey: j, Prefix: "api",
		Decoder: event.Decoder{Accounts: []event.Account{{Name: "acct", Endpoint: "https://acct.blob.core.windows.net"}}},
	}
	if change != nil {
		change(&options)
	}
	s, err := server.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return s, &log
}

// queued wraps a queue message as the host does.
func queued(message string) string {
	inner, _ := json.Marshal(message)
	outer, _ := json.Marshal(string(inner))
	return `{"Data":{"message":` + string(outer) + `},"Metadata":{"DequeueCount":"2","InsertionTime":"2026-11-02T10:00:00+00:00","sys":{}}}`
}

func post(s http.Handler, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set(azfunc.HeaderInvocationID, "7a1c")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const convertMessage = `{"schema":"decant/1","kind":"convert","document":{"container":"documents","path":"a/report.pdf"}}`

func TestFunctions(t *testing.T) {
	deleted, _ := event.Deleted(event.Account{Name: "acct", Endpoint: "https://acct.blob.core.windows.net"}, job.Source{Account: "acct", Container: "documents", Path: "a"}, time.Now())
	tests := []struct {
		name, path, body string
		want             []string
	}{
		{"convert", "/convert", queued(convertMessage), []string{"convert a/report.pdf"}},
		{"bulk", "/convert_bulk", queued(convertMessage), []string{"convert a/report.pdf"}},
		{"deleted", "/convert", queued(string(deleted)), []string{"delete a"}},
		{"garbage_is_recorded_at_the_first_try", "/convert", queued("garbage"), []string{"reject bad_message"}},
		{"batch_without_batches", "/convert", queued(`{"schema":"decant/1","kind":"batch.cancel","batch":"b1"}`), []string{"reject bad_message"}},
		{"poison", "/poison", queued(convertMessage), []string{"poison poison"}},
		{"poison_that_nobody_can_read", "/poison_bulk", queued("garbage"), []string{"poison poison_bulk"}},
		{"sweep", "/sweep", `{"Data":{"timer":{"IsPastDue":true,"ScheduleStatus":null}},"Metadata":{}}`, []string{"sweep late"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := &journey{}
			s, _ := newServer(t, j, nil)
			w := post(s, test.path, test.body)
			checkAnswer(t, w, 200)
			if diff := cmp.Diff(test.want, j.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// checkAnswer holds every answer to what the host needs (S12).
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	if w.Code != status {
		t.Errorf("status = %d, want %d; body %s", w.Code, status, w.Body)
	}
	if w.Body.Len() == 0 || !json.Valid(w.Body.Bytes()) || !strings.Contains(w.Header().Get("Content-Type"), "json") {
		t.Errorf("body %q of type %q: the host would hang or fail", w.Body, w.Header().Get("Content-Type"))
	}
}

func TestDeliveryReachesTheJob(t *testing.T) {
	j := &journey{}
	s, _ := newServer(t, j, nil)
	post(s, "/convert", queued(convertMessage))
	if got := j.jobs[0]; got.Attempt != 2 || !got.Enqueued.Equal(time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("job = %+v, want attempt 2 and the insertion time", got)
	}
}

func TestCommands(t *testing.T) {
	c := &commands{}
	s, _ := newServer(t, &journey{}, func(o *server.Options) { o.Commands = c })
	checkAnswer(t, post(s, "/convert", queued(`{"schema":"decant/1","kind":"batch.cancel","batch":"b1"}`)), 200)
	if diff := cmp.Diff([]event.Message{&event.BatchCancel{BatchID: "b1"}}, c.got); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// TestCommandThatCannotBeDone: it is kept with its reason, since nobody hears the answer; one that may work later comes back.
func TestCommandThatCannotBeDone(t *testing.T) {
	for _, c := range []struct {
		kind fault.Kind
		code int
		want []string
	}{
		{fault.NotFound, 200, []string{"reject not_found"}},
		{fault.Storage, 502, nil},
	} {
		j := &journey{}
		s, _ := newServer(t, j, func(o *server.Options) { o.Commands = &commands{err: fault.New(c.kind, "", nil)} })
		checkAnswer(t, post(s, "/convert", queued(`{"schema":"decant/1","kind":"batch.retry","batch":"b1"}`)), c.code)
		if diff := cmp.Diff(c.want, j.calls); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.kind, diff)
		}
	}
}

// TestFaultsDecide: a fault that a retry can mend brings the message back, any other ends it.
func TestFaultsDecide(t *testing.T) {
	for _, row := range fault.Rows() {
		t.Run(string(row.Kind), func(t *testing.T) {
			j := &journey{do: func(context.Context) error { return fault.New(row.Kind, "", nil) }}
			s, _ := newServer(t, j, nil)
			want := 200
			if row.Retryable {
				want = row.Status
			}
			w := post(s, "/convert", queued(convertMessage))
			checkAnswer(t, w, want)
			if row.Retryable && w.Code < 300 {
				t.Error("the host would delete a message that should come back")
			}
		})
	}
}

func TestUnknownErrorsAndPanicsComeBack(t *testing.T) {
	for name, do := range map[string]func(context.Context) error{
		"error": func(context.Context) error { return errors.New("/srv/secret: AccountKey=abc") },
		"panic": func(context.Context) error { panic("/srv/secret: AccountKey=abc") },
	} {
		t.Run(name, func(t *testing.T) {
			s, log := newServer(t, &journey{do: do}, nil)
			w := post(s, "/convert", queued(convertMessage))
			checkAnswer(t, w, 500)
			if strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the answer leaks the cause: %s", w.Body)
			}
			if !strings.Contains(log.String(), "AccountKey") || !strings.Contains(log.String(), `"invocation":"7a1c"`) {
				t.Errorf("the log lacks cause or invocation: %s", log)
			}
		})
	}
}

// TestDeadline is S5 from the host's side: our own deadline is not a verdict on the document, and work that does not
// stop is left behind rather than letting the host kill the process.
func TestDeadline(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	tests := []struct {
		name string
		do   func(context.Context) error
		want int
	}{
		{"stops_in_time", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, 503},
		{"cause_is_no_verdict", func(ctx context.Context) error { <-ctx.Done(); return fault.From(context.Cause(ctx)) }, 503},
		{"verdict_at_the_deadline_counts", func(ctx context.Context) error { <-ctx.Done(); return fault.New(fault.Timeout, "", nil) }, 200},
		{"never_returns", func(context.Context) error { <-hang; return nil }, 503},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _ := newServer(t, &journey{do: test.do}, func(o *server.Options) {
				o.Deadline, o.Settle = 20*time.Millisecond, 50*time.Millisecond
			})
			checkAnswer(t, post(s, "/convert", queued(convertMessage)), test.want)
		})
	}
}

func TestPoisonFailsOnlyWhileItCannotBeRecorded(t *testing.T) {
	j := &journey{do: func(context.Context) error { return fault.New(fault.Storage, "", nil) }}
	s, _ := newServer(t, j, nil)
	checkAnswer(t, post(s, "/poison", queued(convertMessage)), 502)
	worn := strings.Replace(queued(convertMessage), `"DequeueCount":"2"`, `"DequeueCount":"50"`, 1)
	checkAnswer(t, post(s, "/poison", worn), 200)
	if j.letter.Attempt != 50 || j.letter.Body != convertMessage {
		t.Errorf("letter = %+v", j.letter)
	}
}

// TestForgedEnvelopes: what an outside caller sends reaches us with the prefix in its path, or with headers that an
// envelope never has; neither starts any work.
func TestForgedEnvelopes(t *testing.T) {
	tests := []struct {
		name, path string
		headers    []string
	}{
		{"under_the_prefix", "/api/convert/", nil},
		{"function_name_under_the_prefix", "/api/poison", nil},
		{"climbing", "/api/../convert", nil},
		{"climbing_escaped", "/api/%2e%2e/convert", nil},
		{"climbing_escaped_slash", "/api/..%2fconvert", nil},
		{"double_slash", "//convert", nil},
		{"other_case", "/CONVERT", nil},
		{"forwarded_for", "/convert", []string{"X-Forwarded-For", "198.51.100.7"}},
		{"front_end", "/convert", []string{"X-ARR-LOG-ID", "1"}},
		{"key_in_header", "/convert", []string{"x-functions-key", "k"}},
		{"key_in_query", "/convert?code=k", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := &journey{}
			s, _ := newServer(t, j, nil)
			w := post(s, test.path, queued(convertMessage), test.headers...)
			if w.Code < 400 || len(j.calls) > 0 {
				t.Errorf("POST %s = %d, calls %v, want a refusal", test.path, w.Code, j.calls)
			}
			if got := w.Header().Get("Content-Type"); got != server.ProblemType {
				t.Errorf("refused as %q, want %s", got, server.ProblemType)
			}
		})
	}
}

func TestNotAnEnvelope(t *testing.T) {
	s, _ := newServer(t, &journey{}, nil)
	for name, body := range map[string]string{"empty": "", "text": "x", "no_data": "{}", "other_binding": `{"Data":{"x":"y"}}`} {
		if w := post(s, "/convert", body); w.Code < 400 {
			t.Errorf("%s: status %d, want a failure so that nothing is lost", name, w.Code)
		}
	}
}

func TestProbe(t *testing.T) {
	s, log := newServer(t, &journey{}, nil)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "1.2.3") || log.Len() > 0 {
		t.Errorf("GET / = %d %s, log %q", w.Code, w.Body, log)
	}
}

func TestNewRefuses(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for name, options := range map[string]server.Options{
		"no_journey": {Log: log, Prefix: "api"},
		"no_log":     {Journey: &journey{}, Prefix: "api"},
		"no_prefix":  {Journey: &journey{}, Log: log, Prefix: "/"},
	} {
		if _, err := server.New(options); err == nil {
			t.Errorf("%s: New accepted it", name)
		}
	}
}

func TestRequestLogHasInvocation(t *testing.T) {
	s, log := newServer(t, &journey{}, nil)
	post(s, "/convert", queued(convertMessage))
	for line := range strings.Lines(log.String()) {
		var entry struct{ Invocation, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Invocation != "7a1c" {
			t.Errorf("line without invocation id: %s", line)
		}
	}
	if strings.Count(log.String(), "\n") != 2 {
		t.Errorf("want one line for the request and one for the work:\n%s", log)
	}
}

// TestEveryFunctionHasARoute: the host POSTs to /<folder name> for each function that is not HTTP.
func TestEveryFunctionHasARoute(t *testing.T) {
	s, _ := newServer(t, &journey{}, nil)
	folders, err := filepath.Glob("../../../functions/*/function.json")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no functions found: %v", err)
	}
	for _, file := range folders {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		route := "POST /" + filepath.Base(filepath.Dir(file))
		if isHTTP := strings.Contains(string(data), "httpTrigger"); slices.Contains(s.Routes(), route) == isHTTP {
			t.Errorf("route %s: registered %v, HTTP function %v", route, !isHTTP, isHTTP)
		}
	}
}

func TestAPITimeLimit(t *testing.T) {
	s, _ := newServer(t, &journey{}, func(o *server.Options) { o.API, o.APITime = slowAPI{}, 10*time.Millisecond })
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/slow", nil))
	if w.Code != 503 || w.Header().Get("Content-Type") != server.ProblemType {
		t.Errorf("a request beyond its time gets %d as %q, want 503", w.Code, w.Header().Get("Content-Type"))
	}
}

type slowAPI struct{}

func (slowAPI) Routes(g *echo.Group) {
	g.GET("/slow", func(c echo.Context) error {
		<-c.Request().Context().Done()
		return c.Request().Context().Err()
	})
}

func TestDeadlineFor(t *testing.T) {
	for _, timeout := range []time.Duration{time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 10 * time.Hour} {
		deadline, settle := server.DeadlineFor(timeout)
		if deadline <= timeout/2 || settle <= 0 || deadline+settle >= timeout {
			t.Errorf("DeadlineFor(%s) = %s and %s, want both to end before it", timeout, deadline, settle)
		}
	}
	if deadline, _ := server.DeadlineFor(0); deadline != 0 {
		t.Errorf("DeadlineFor(0) = %s, want the default", deadline)
	}
}

// TestShutdownBringsMessagesBack: when the process has to stop, running invocations end and their messages come back.
func TestShutdownBringsMessagesBack(t *testing.T) {
	started := make(chan struct{})
	s, _ := newServer(t, &journey{do: func(ctx context.Context) error { close(started); <-ctx.Done(); return ctx.Err() }}, nil)
	base, stop := context.WithCancel(t.Context())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := s.HTTPServer(base)
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	go func() { <-started; stop() }()
	response, err := http.Post("http://"+listener.Addr().String()+"/convert", "application/json", strings.NewReader(queued(convertMessage)))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 503 {
		t.Errorf("status = %d, want 503", response.StatusCode)
	}
	if err := web.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
