package azfunctest_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/azfunc/azfunctest"
)

// TestEnvironment: the five variables, the legacy twins with the same values, everything inherited, no argument added,
// and arguments joined without quoting (section 1.1, 1.4).
func TestEnvironment(t *testing.T) {
	a := newApp(t)
	if err := a.start().Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := a.calls("START")[0]
	env := map[string]string{}
	for line := range strings.Lines(start.Body) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[name] = value
	}
	if env[azfunc.EnvPort] == "" || env[azfunc.EnvPort] != env[azfunc.EnvLegacyPort] || env[azfunc.EnvWorkerID] == "" || env[azfunc.EnvWorkerID] != env[azfunc.EnvLegacyWorkerID] {
		t.Errorf("ports and ids: %q", env)
	}
	if env[azfunc.EnvRoot] != a.dir || env["OWN"] != "inherited" || env["WorkQueue"] != "work" {
		t.Errorf("root %q, inherited %q, from local.settings.json %q", env[azfunc.EnvRoot], env["OWN"], env["WorkQueue"])
	}
	if start.Query != "one two three" {
		t.Errorf("arguments = %q, want three: a blank in one makes two of it, %%THREE%% is expanded", start.Query)
	}
}

func TestEnvironmentWinsOverLocalSettings(t *testing.T) {
	a := newApp(t).set("THREE", "drei")
	if err := a.start().Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := a.calls("START")[0].Query; got != "one two drei" {
		t.Errorf("arguments = %q", got)
	}
}

// TestExitCodes is section 1.3.
func TestExitCodes(t *testing.T) {
	t.Run("zero_is_never_restarted", func(t *testing.T) {
		a := newApp(t)
		a.start()
		a.send("exit 0")
		a.await(azfunctest.HandlerExited, 1)
		a.send("hello")
		a.await(azfunctest.MessagePoisoned, 2) // both burn their attempts on a closed port
		if n := len(a.seen(azfunctest.HandlerStarted)); n != 1 {
			t.Errorf("the handler was started %d times, want once", n)
		}
	})
	t.Run("200_restarts_for_free", func(t *testing.T) {
		a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "1")
		a.start()
		for i := range 4 {
			a.await(azfunctest.HandlerReady, i+1) // else the next message may meet the closed port and burn an attempt
			a.send("exit 200")
		}
		a.await(azfunctest.HandlerReady, 5)
		a.send("hello")
		a.await(azfunctest.Succeeded, 1)
		if n := len(a.seen(azfunctest.HandlerStarted)); n != 5 {
			t.Errorf("the handler was started %d times, want 5", n)
		}
	})
	t.Run("third_error_stops_the_host", func(t *testing.T) {
		a := newApp(t).set("TEST_HANDLER", "exit3")
		host := a.start()
		<-host.Done()
		if err := host.Err(); err == nil || !strings.Contains(err.Error(), "exited with 3") || !strings.Contains(err.Error(), "cannot go on") {
			t.Errorf("Err() = %v, want the exit code and the last lines of standard error", err)
		}
		if n := len(a.seen(azfunctest.HandlerStarted)); n != 3 {
			t.Errorf("the handler was started %d times, want 3", n)
		}
	})
	t.Run("death_by_signal_is_an_error", func(t *testing.T) {
		a := newApp(t)
		host := a.start()
		if err := host.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(host.PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if e := a.await(azfunctest.HandlerExited, 1); e.Exit != 137 {
			t.Errorf("exit = %d, want 137", e.Exit)
		}
		a.await(azfunctest.HandlerReady, 2)
	})
	t.Run("errors_far_apart_are_forgotten", func(t *testing.T) {
		a := newApp(t).set("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "1")
		a.options.Times.ErrorWindow = time.Nanosecond
		host := a.start()
		for i := range 4 {
			a.await(azfunctest.HandlerReady, i+1)
			a.send("exit 3")
		}
		a.await(azfunctest.HandlerReady, 5)
		a.send("hello")
		a.await(azfunctest.Succeeded, 1)
		if host.Err() != nil {
			t.Errorf("the host stopped: %v", host.Err())
		}
	})
}

// TestSamePort: the port stays the same over restarts (section 1.1).
func TestSamePort(t *testing.T) {
	a := newApp(t)
	a.start()
	a.send("exit 200")
	a.await(azfunctest.HandlerReady, 2)
	port := func(c call) string {
		_, rest, _ := strings.Cut(c.Body, azfunc.EnvPort+"=")
		value, _, _ := strings.Cut(rest, "\n")
		return value
	}
	starts := a.calls("START")
	if port(starts[0]) == "" || port(starts[0]) != port(starts[1]) {
		t.Errorf("ports %q and %q, want the same", port(starts[0]), port(starts[1]))
	}
}

// TestNeverReady: the readiness time-out kills, counts, and ends in the third strike (section 1.2).
func TestNeverReady(t *testing.T) {
	a := newApp(t).set("TEST_HANDLER", "mute").set("AzureFunctionsJobHost__customHandler__initializationTimeout", "00:00:00.1")
	host := a.start()
	<-host.Done()
	if n := len(a.seen(azfunctest.HandlerNotReady)); n != 3 || host.Err() == nil {
		t.Errorf("%d readiness time-outs, Err() = %v, want 3 and an error", n, host.Err())
	}
}

// TestCannotStart: an executable that cannot be started is not tried again; the first invocation takes the host down.
func TestCannotStart(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__customHandler__description__defaultExecutablePath", "nothing-of-this-name").
		set("azurefunctionsjobhost__customhandler__initializationtimeout", "00:00:00.05")
	host := a.start()
	a.await(azfunctest.HandlerNotStarted, 1)
	select {
	case <-host.Done():
		t.Fatal("the host stopped without an invocation")
	case <-time.After(300 * time.Millisecond):
	}
	a.send("hello")
	<-host.Done()
	if host.Err() == nil || len(a.seen(azfunctest.HandlerNotStarted)) != 1 {
		t.Errorf("Err() = %v", host.Err())
	}
}

// TestNoFunctionsNoHandler: without a function the handler is not started.
func TestNoFunctionsNoHandler(t *testing.T) {
	a := newApp(t)
	if err := os.RemoveAll(a.dir + "/convert"); err != nil {
		t.Fatal(err)
	}
	a.write("nested/convert/function.json", queueFunction) // only immediate subfolders count
	host := a.start()
	time.Sleep(50 * time.Millisecond)
	if len(host.Functions()) != 0 || len(a.seen(azfunctest.HandlerStarted)) != 0 {
		t.Errorf("functions %v, want none and no handler", host.Functions())
	}
}

func TestDroppedFunctions(t *testing.T) {
	tests := []struct{ name, folder, json, words string }{
		{"bad_name", "1st", queueFunction, "not a function's name"},
		{"no_trigger", "none", `{"bindings":[]}`, "0 triggers"},
		{"two_triggers", "two", `{"bindings":[{"name":"a","type":"timerTrigger"},{"name":"b","type":"timerTrigger"}]}`, "2 triggers"},
		{"name_used_twice", "twice", `{"bindings":[{"name":"a","type":"httpTrigger"},{"name":"A","type":"http","direction":"out"}]}`, "used twice"},
		{"setting_missing", "unset", strings.Replace(queueFunction, "WorkQueue", "Nowhere", 1), "%Nowhere%"},
		{"connection_missing", "unconnected", strings.Replace(queueFunction, `"Docs"`, `"Other"`, 1), "Other"},
		{"queue_name", "queue", strings.Replace(queueFunction, "%WorkQueue%", "Work_Queue", 1), "not a queue's name"},
		{"schedule", "timer", strings.Replace(timerFunction, "0 0 0 1 1 *", "61 * * * * *", 1), "not within"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newApp(t)
			a.write(test.folder+"/function.json", test.json)
			host := a.start()
			dropped := host.Dropped()
			if len(dropped) != 1 || !strings.Contains(dropped[0].Reason.Error(), test.words) || len(host.Functions()) != 1 {
				t.Errorf("dropped %v, functions %v, want one dropped because of %q", dropped, host.Functions(), test.words)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	unsupported := azfunctest.ErrUnsupported.Error()
	functions := []struct{ name, json, words string }{
		{"blob_trigger", `{"bindings":[{"name":"a","type":"blobTrigger"}]}`, "blobTrigger"},
		{"queue_output", `{"bindings":[{"name":"a","type":"timerTrigger","schedule":"0 * * * * *"},{"name":"b","type":"queue","direction":"out"}]}`, `"queue"`},
		{"retry_policy", `{"retry":{"strategy":"fixedDelay"},"bindings":[]}`, "retry"},
		{"unknown_member", `{"bindings":[{"name":"a","type":"queueTrigger","cardinality":"many"}]}`, "cardinality"},
		{"route_constraint", strings.Replace(httpFunction, "{*path}", "{id:int}", 1), "{id:int}"},
	}
	for _, test := range functions {
		t.Run(test.name, func(t *testing.T) {
			a := newApp(t)
			a.write("other/function.json", test.json)
			a.refused(unsupported, test.words)
		})
	}
	settings := []struct{ name, variable, value string }{
		{"unknown_queue_setting", "extensions__queues__prefetchCount", "1"},
		{"other_extension", "extensions__serviceBus__maxConcurrentCalls", "1"},
		{"dynamic_concurrency", "concurrency__dynamicConcurrencyEnabled", "true"},
		{"retry", "retry__strategy", "fixedDelay"},
		{"proxying", "customHandler__enableProxyingHttpRequest", "true"},
		{"fixed_port", "customHandler__port", "8080"},
		{"profile", "configurationProfile", "mcp-custom-handler"},
		{"http_envelopes", "customHandler__enableForwardingHttpRequest", "false"},
	}
	for _, test := range settings {
		t.Run(test.name, func(t *testing.T) {
			a := newApp(t).set("AzureFunctionsJobHost__"+test.variable, test.value)
			a.write("api/function.json", httpFunction)
			a.refused(unsupported)
		})
	}
	wrong := []struct{ variable, value, words string }{
		{"version", "1.0", `"2.0"`},
		{"functionTimeout", "soon", "soon"},
		{"functionTimeout", "00:00:00", "one second"},
		{"extensions__queues__batchSize", "33", "1 to 32"},
		{"extensions__queues__maxDequeueCount", "0", "1 to"},
		{"extensions__queues__messageEncoding", "utf8", "base64 or none"},
		{"customHandler__description__defaultExecutablePath", "", "defaultExecutablePath"},
	}
	for _, test := range wrong {
		t.Run(fmt.Sprintf("wrong_%s_%s", test.variable, test.value), func(t *testing.T) {
			newApp(t).set("AzureFunctionsJobHost__"+test.variable, test.value).refused(test.words)
		})
	}
}

// TestLateHandler: invocations wait until the handler listens; that costs them no attempt (section 1.2).
func TestLateHandler(t *testing.T) {
	a := newApp(t).set("TEST_HANDLER", "late300ms")
	a.start()
	a.send("hello")
	if e := a.await(azfunctest.Succeeded, 1); e.Attempt != 1 {
		t.Errorf("attempt = %d, want 1", e.Attempt)
	}
}

// TestAnyTroubleButAClosedPortIsReady: a handler that hangs up counts as ready; its invocations fail.
func TestAnyTroubleButAClosedPortIsReady(t *testing.T) {
	a := newApp(t).set("TEST_HANDLER", "hangup")
	a.start()
	a.await(azfunctest.HandlerReady, 1)
	a.send("hello")
	a.await(azfunctest.MessagePoisoned, 1)
}

// TestHandlerSettings are the keys of customHandler.description (section 1.4).
func TestHandlerSettings(t *testing.T) {
	a := newApp(t).
		set("AzureFunctionsJobHost__customHandler__description__arguments", `["serve","--fast"]`).
		set("AzureFunctionsJobHost__customHandler__description__workerArguments", `["%NOT_SET%last"]`).
		set("AzureFunctionsJobHost__customHandler__description__defaultWorkerPath", "a worker").
		set("AzureFunctionsJobHost__customHandler__description__workingDirectory", "convert")
	if err := a.start().Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := a.calls("START")[0]
	if start.Query != "serve --fast a worker last" { // the list of the app setting replaces the one of host.json
		t.Errorf("arguments = %q", start.Query)
	}
	if !strings.HasSuffix(start.Path, "/convert") {
		t.Errorf("working directory = %q", start.Path)
	}
}

// TestAllowList: host.json "functions" names what runs; the rest is left out.
func TestAllowList(t *testing.T) {
	a := newApp(t).set("AzureFunctionsJobHost__functions__0", "sweep")
	a.write("sweep/function.json", timerFunction)
	if got := a.start().Functions(); len(got) != 1 || got[0] != "sweep" {
		t.Errorf("functions = %v, want sweep alone", got)
	}
}

func TestDisabledFunction(t *testing.T) {
	a := newApp(t)
	a.write("sweep/function.json", strings.Replace(timerFunction, "{", `{"disabled":true,`, 1))
	if got := a.start().Functions(); len(got) != 1 || got[0] != "convert" {
		t.Errorf("functions = %v, want convert alone", got)
	}
}
