package azfunctest_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/azfunc/azfunctest"
)

// TestEnvelope looks at what really goes over the wire (section 2.1 to 2.3).
func TestEnvelope(t *testing.T) {
	tests := []struct {
		name, message string
		data          string
		metadata      map[string]string // members of Metadata that must be so
		absent        []string
	}{
		{"text_is_encoded_twice", "hello", `"\"hello\""`, map[string]string{"DequeueCount": `"1"`}, []string{"QueueTrigger"}},
		{"json_is_never_an_object", `{"a":1}`, `"\"{\\\"a\\\":1}\""`, map[string]string{"a": `"\"1\""`}, nil},
		{"fields_override_metadata", `{"dequeuecount":99,"id":"mine","sys":{"x":1}}`, `"\"{\\\"dequeuecount\\\":99,\\\"id\\\":\\\"mine\\\",\\\"sys\\\":{\\\"x\\\":1}}\""`,
			map[string]string{"DequeueCount": `"\"99\""`, "Id": `"\"mine\""`, "sys": `{"x":1}`}, []string{"dequeuecount", "id"}},
		{"scalars_become_strings", `{"yes":true,"o":{"p":[1]},"list":[1],"none":null,"myTrigger":"x"}`, "",
			map[string]string{"yes": `"\"True\""`, "o": `{"p":[1]}`}, []string{"list", "none", "myTrigger"}},
	}
	a := newApp(t)
	a.start()
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a.send(test.message)
			a.await(azfunctest.MessageDeleted, i+1)
			got := a.calls("POST")[i]
			if got.Path != "/convert" || got.Query != "" || got.Header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Errorf("POST %s?%s as %q", got.Path, got.Query, got.Header.Get("Content-Type"))
			}
			if got.Header.Get(azfunc.HeaderInvocationID) == "" || !strings.HasPrefix(got.Header.Get("User-Agent"), azfunc.UserAgentPrefix) {
				t.Errorf("headers %v", got.Header)
			}
			var envelope struct{ Data, Metadata map[string]json.RawMessage }
			if err := json.Unmarshal([]byte(got.Body), &envelope); err != nil {
				t.Fatal(err)
			}
			if test.data != "" && string(envelope.Data["message"]) != test.data {
				t.Errorf("Data.message = %s, want %s", envelope.Data["message"], test.data)
			}
			for name, want := range test.metadata {
				if diff := cmp.Diff(want, string(envelope.Metadata[name])); diff != "" {
					t.Errorf("Metadata.%s (-want +got):\n%s", name, diff)
				}
			}
			for _, name := range test.absent {
				if v, ok := envelope.Metadata[name]; ok {
					t.Errorf("Metadata.%s = %s, want it left out", name, v)
				}
			}
			var when string
			if json.Unmarshal(envelope.Metadata["InsertionTime"], &when) != nil || strings.Contains(when, ".") {
				t.Errorf("InsertionTime = %s, want a plain date in whole seconds", envelope.Metadata["InsertionTime"])
			}
		})
	}
}

func TestBinaryMessage(t *testing.T) {
	a := newApp(t)
	a.write("convert/function.json", strings.Replace(queueFunction, `"direction"`, `"dataType":"binary","direction"`, 1))
	a.start()
	a.send("\xff\xfe")
	a.await(azfunctest.MessageDeleted, 1)
	if body := a.calls("POST")[0].Body; !strings.Contains(body, `"message":"//4="`) {
		t.Errorf("body = %s, want plain base64", body)
	}
}

// TestAnswers is the table of section 3.2.
func TestAnswers(t *testing.T) {
	tests := []struct{ name, message, fails string }{
		{"object", "fine", ""},
		{"other_2xx", "status 202", ""},
		{"server_error", "status 500", "500 (Internal Server Error)"},
		{"redirect_is_not_followed", "status 302", "302"},
		{"malformed", "malformed", "invalid operation"},
		{"plain_text", "plain", "unsupported media type"},
		{"connection_lost", "exit 200", "EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "1")
			a.start()
			a.send(test.message)
			if test.fails == "" {
				a.await(azfunctest.MessageDeleted, 1)
				return
			}
			got := a.await(azfunctest.Failed, 1).Err.Error()
			if !strings.Contains(got, test.fails) && !strings.Contains(got, "reset") {
				t.Errorf("failed with %q, want %q", got, test.fails)
			}
			if logs := a.seen(azfunctest.FunctionLog); len(logs) > 0 {
				t.Errorf("logs of a failed answer were kept: %v", logs)
			}
		})
	}
}

func TestLogsOfASuccess(t *testing.T) {
	a := newApp(t)
	a.start()
	a.send("fine")
	invoked := a.await(azfunctest.Invoked, 1)
	if e := a.await(azfunctest.FunctionLog, 1); e.Text != "did fine" || e.Invocation != invoked.Invocation {
		t.Errorf("log = %+v", e)
	}
}

// TestEmptyAnswerHangs is the worst trap: 200 without a body, or with null, never completes; at functionTimeout the handler
// is killed, another one starts, nothing is counted against it, and the message comes back (sections 3.2, 3.5).
func TestEmptyAnswerHangs(t *testing.T) {
	for _, message := range []string{"empty", "null"} {
		t.Run(message, func(t *testing.T) {
			a := newApp(t).set("AzureFunctionsJobHost__functionTimeout", "00:00:01")
			host := a.start()
			a.send(message)
			a.await(azfunctest.TimedOut, 1)
			a.await(azfunctest.HandlerKilled, 1)
			a.await(azfunctest.MessagePoisoned, 1)
			a.await(azfunctest.HandlerReady, 3)
			if host.Err() != nil {
				t.Errorf("the host stopped: %v", host.Err())
			}
		})
	}
}

// TestNoFunctionTimeout: with -1 an answer without a body hangs for ever, and holds its message.
func TestNoFunctionTimeout(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__functionTimeout", "-1")
	host := a.start()
	a.send("empty")
	a.until("the call", func() bool { return len(a.calls("POST")) == 1 })
	time.Sleep(300 * time.Millisecond)
	host.Crash()
	left, _ := a.queues.Messages("work")
	if len(left) != 1 || len(a.seen(azfunctest.TimedOut)) != 0 || len(a.seen(azfunctest.MessageReleased)) != 0 {
		t.Errorf("left %v, released %v", left, a.seen(azfunctest.MessageReleased))
	}
}

// TestFunctionTimeoutKillsEveryInvocation: the kill at functionTimeout takes the others along (section 3.5), and nobody
// tells the handler anything before.
func TestFunctionTimeoutKillsEveryInvocation(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__functionTimeout", "00:00:01.5").
		set("AzureFunctionsJobHost__extensions__queues__batchSize", "2").
		set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "1")
	a.options.Times.Grace = 300 * time.Millisecond
	a.write("api/function.json", httpFunction)
	a.start()
	a.send("sleep 1m")
	time.Sleep(700 * time.Millisecond)
	answer := make(chan string, 1)
	go func() { answer <- a.get("/api/x", "Do", "sleep 1m") }()
	a.await(azfunctest.HandlerKilled, 1)
	if got := <-answer; got != "500 " {
		t.Errorf("the other invocation ended with %q, want 500", got)
	}
}

// TestEndsWithinGrace: a call that ends by itself within the grace period saves the handler, though the attempt has failed.
func TestEndsWithinGrace(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__functionTimeout", "00:00:01").set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "1")
	a.options.Times.Grace = 10 * time.Second
	a.start()
	a.send("sleep 1100ms")
	a.await(azfunctest.MessagePoisoned, 1)
	time.Sleep(300 * time.Millisecond)
	if killed := a.seen(azfunctest.HandlerKilled); len(killed) != 0 {
		t.Errorf("the handler was killed: %v", killed)
	}
}

// TestOutputSeverity is section 5: the stream and the word "warn" decide.
func TestOutputSeverity(t *testing.T) {
	a := newApp(t)
	a.start()
	a.send("stderr Trouble")
	a.await(azfunctest.MessageDeleted, 1)
	a.send("stderr a WARNing")
	a.await(azfunctest.HandlerLine, 3)
	var got []string
	for _, e := range a.seen(azfunctest.HandlerLine) {
		got = append(got, e.Level.String()+" "+e.Text)
	}
	if diff := cmp.Diff([]string{"INFO listening", "ERROR Trouble", "WARN a WARNing"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestStopKillsOneProcess: Stop waits for running messages, then SIGKILL without notice; children of the handler live on.
func TestStopKillsOneProcess(t *testing.T) {
	a := newApp(t)
	host := a.start()
	a.send("sleep 300ms")
	a.await(azfunctest.Invoked, 1)
	a.until("the call", func() bool { return len(a.calls("POST")) == 1 })
	pid := host.PID()
	if err := host.Stop(); err != nil {
		t.Fatal(err)
	}
	if len(a.seen(azfunctest.MessageDeleted)) != 1 {
		t.Error("Stop did not wait for the running message")
	}
	if err := syscall.Kill(pid, 0); err == nil {
		t.Error("the handler is still there")
	}
}

// TestDrain: listeners stop, what runs goes on to its end, and HTTP is still answered.
func TestDrain(t *testing.T) {
	a := newApp(t)
	a.write("api/function.json", httpFunction)
	host := a.start()
	a.send("sleep 200ms")
	a.await(azfunctest.Invoked, 1)
	if err := host.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.send("hello")
	time.Sleep(100 * time.Millisecond)
	if n := len(a.seen(azfunctest.MessageDeleted)); n != 1 {
		t.Errorf("%d messages done, want the running one and no other", n)
	}
	if got := a.get("/api/x"); !strings.HasPrefix(got, "200 ") {
		t.Errorf("HTTP while draining: %s", got)
	}
}

func TestStopKillsNoChildren(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh on the PATH")
	}
	a := newApp(t)
	a.write("run", "#!/bin/sh\nsleep 60 >/dev/null 2>&1 & echo child $!\nwait\n")
	a.set("AzureFunctionsJobHost__customHandler__description__defaultExecutablePath", "run")
	if out, err := exec.Command("chmod", "+x", a.dir+"/run").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	host := a.start()
	line := a.await(azfunctest.HandlerLine, 1).Text
	host.Crash()
	child := atoi(t, strings.TrimPrefix(line, "child "))
	if err := syscall.Kill(child, 0); err != nil {
		t.Errorf("the handler's child is gone, too: %v; a handler must not rely on that", err)
	}
	_ = syscall.Kill(child, syscall.SIGKILL)
}

// TestStopLeavesLateMessagesHidden: what outlasts the wait stays invisible until its lease ends (section 3.7).
func TestStopLeavesLateMessagesHidden(t *testing.T) {
	a := newApp(t)
	a.options.Times.StopWait = 50 * time.Millisecond
	host := a.start()
	a.send("sleep 1m")
	a.until("the call", func() bool { return len(a.calls("POST")) == 1 })
	if err := host.Stop(); err != nil {
		t.Fatal(err)
	}
	left, _ := a.queues.Messages("work")
	if len(left) != 1 || time.Until(left[0].NextVisible) < time.Minute {
		t.Errorf("left in the queue: %+v, want one hidden message", left)
	}
}

func TestTimer(t *testing.T) {
	a := newApp(t)
	a.write("sweep/function.json", timerFunction)
	a.options.RunTimers = true
	host := a.start()
	a.await(azfunctest.Succeeded, 1)
	got := a.calls("POST")[0]
	var envelope struct {
		Data     struct{ Timer map[string]any }
		Metadata map[string]any
	}
	if err := json.Unmarshal([]byte(got.Body), &envelope); err != nil {
		t.Fatal(err)
	}
	if got.Path != "/sweep" || envelope.Data.Timer["IsPastDue"] != false || len(envelope.Metadata) != 1 {
		t.Errorf("POST %s %s, want a timer object and sys alone", got.Path, got.Body)
	}
	if err := host.RunTimer(t.Context(), "sweep"); err != nil {
		t.Errorf("RunTimer: %v", err)
	}
	if err := host.RunTimer(t.Context(), "convert"); err == nil {
		t.Error("RunTimer ran a function that has no timer")
	}
}

func TestScheduleFires(t *testing.T) {
	a := newApp(t)
	a.write("sweep/function.json", strings.Replace(timerFunction, "0 0 0 1 1 *", "*/1 * * * * *", 1))
	a.start()
	a.await(azfunctest.Succeeded, 2)
}

// get asks the front and gives "status body".
func (a *app) get(path string, headers ...string) string {
	request, err := http.NewRequest(http.MethodGet, a.host.URL()+path, nil)
	if err != nil {
		return err.Error()
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return a.do(request)
}

func (a *app) do(request *http.Request) string {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return strings.SplitN(response.Status, " ", 2)[0] + " " + string(body)
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
