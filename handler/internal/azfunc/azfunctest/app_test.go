package azfunctest_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"decant/handler/internal/azfunc/azfunctest"
)

const (
	queueFunction = `{"bindings":[{"name":"message","type":"queueTrigger","direction":"in","queueName":"%WorkQueue%","connection":"Docs"}]}`
	timerFunction = `{"bindings":[{"name":"timer","type":"timerTrigger","direction":"in","schedule":"0 0 0 1 1 *"}]}`
	httpFunction  = `{"bindings":[{"name":"req","type":"httpTrigger","direction":"in","authLevel":"function","route":"{*path}"},{"name":"res","type":"http","direction":"out"}]}`
	openFunction  = `{"bindings":[{"name":"req","type":"httpTrigger","direction":"in","authLevel":"anonymous","methods":["get"],"route":"health"},{"name":"res","type":"http","direction":"out"}]}`
)

// app is an app folder with a host that runs it, and what the host said.
type app struct {
	t       *testing.T
	dir     string
	record  string
	queues  *azfunctest.MemoryQueues
	options azfunctest.Options
	host    *azfunctest.Host

	mu     sync.Mutex
	events []azfunctest.Event
}

// newApp lays out an app with one queue function, short times and one attempt at a time.
func newApp(t *testing.T) *app {
	t.Helper()
	a := &app{t: t, dir: t.TempDir(), queues: &azfunctest.MemoryQueues{}}
	a.record = filepath.Join(t.TempDir(), "calls")
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a.write("host.json", fmt.Sprintf(`{"version":"2.0","functionTimeout":"00:00:20","customHandler":{"description":{"defaultExecutablePath":%q,
		"arguments":["one two","%%THREE%%"]},"enableForwardingHttpRequest":true,"initializationTimeout":"00:00:10"},
		"extensions":{"queues":{"batchSize":1,"newBatchThreshold":0,"maxDequeueCount":2,"maxPollingInterval":"00:00:00.1"}}}`, executable))
	a.write("local.settings.json", `{"IsEncrypted":false,"Values":{"WorkQueue":"work","Docs":"UseDevelopmentStorage=true","THREE":"three"}}`)
	a.write("convert/function.json", queueFunction)
	a.options = azfunctest.Options{
		Dir: a.dir, Queues: a.queues, Observe: a.observe,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "TEST_HANDLER=serve", "TEST_RECORD=" + a.record, "OWN=inherited"},
		Times:   azfunctest.Times{Lease: time.Hour, Probe: 5 * time.Millisecond, Grace: 100 * time.Millisecond, MinPoll: 5 * time.Millisecond, StopWait: 5 * time.Second},
	}
	if err := a.queues.Create(t.Context(), "work"); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *app) write(name, text string) {
	a.t.Helper()
	file := filepath.Join(a.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

// set gives the host a variable.
func (a *app) set(name, value string) *app {
	a.options.Environ = append(a.options.Environ, name+"="+value)
	return a
}

func (a *app) start() *azfunctest.Host {
	a.t.Helper()
	host, err := azfunctest.Start(a.t.Context(), a.options)
	if err != nil {
		a.t.Fatal(err)
	}
	a.host = host
	a.t.Cleanup(host.Crash)
	return host
}

// refused starts the host and wants an error with these words.
func (a *app) refused(words ...string) {
	a.t.Helper()
	host, err := azfunctest.Start(a.t.Context(), a.options)
	if err == nil {
		host.Crash()
		a.t.Fatalf("Start accepted it, want an error with %q", words)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			a.t.Errorf("Start() = %v, want it to say %q", err, word)
		}
	}
}

// send puts a message on the queue as base64.
func (a *app) send(text string) { a.sendRaw(base64.StdEncoding.EncodeToString([]byte(text))) }

func (a *app) sendRaw(text string) {
	a.t.Helper()
	if err := a.queues.Send(a.t.Context(), "work", text); err != nil {
		a.t.Fatal(err)
	}
}

func (a *app) observe(e azfunctest.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.events = append(a.events, e)
}

func (a *app) seen(kind azfunctest.EventKind) []azfunctest.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	var found []azfunctest.Event
	for _, e := range a.events {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

// await waits until events of a kind were seen n times, and gives the last of them.
func (a *app) await(kind azfunctest.EventKind, n int) azfunctest.Event {
	a.t.Helper()
	a.until(fmt.Sprintf("%d × %s", n, kind), func() bool { return len(a.seen(kind)) >= n })
	return a.seen(kind)[n-1]
}

func (a *app) until(what string, done func() bool) {
	a.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.t.Fatalf("waited in vain for %s; events:\n%s", what, a.story())
		}
	}
}

func (a *app) story() string {
	var lines []string
	for _, e := range a.events {
		lines = append(lines, fmt.Sprintf("%s %s %s attempt %d exit %d %s %v", e.Kind, e.Function, e.Queue, e.Attempt, e.Exit, e.Text, e.Err))
	}
	return strings.Join(lines, "\n")
}

// calls are the requests that the handler got.
func (a *app) calls(method string) []call {
	a.t.Helper()
	return slices.DeleteFunc(readCalls(a.t, a.record), func(c call) bool { return c.Method != method })
}
