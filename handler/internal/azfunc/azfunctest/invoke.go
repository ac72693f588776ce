package azfunctest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"decant/handler/internal/azfunc"
)

// hostVersion is the version of the host whose source this one follows.
const hostVersion = "4.1037.0"

// errTimeout is the host's FunctionTimeoutException.
var errTimeout = errors.New("timeout value was exceeded by the function")

// invocation is one attempt to run a function.
type invocation struct {
	function *function
	id       string
	message  string
	attempt  int
	body     []byte // the envelope
}

func (i *invocation) event(kind EventKind, err error) Event {
	return Event{Kind: kind, Function: i.function.name, Invocation: i.id, Message: i.message, Attempt: i.attempt, Queue: i.function.queue, Err: err}
}

// invoke runs a function with an envelope, under functionTimeout. The error is why the attempt failed.
func (h *Host) invoke(ctx context.Context, i *invocation) error {
	i.id = uuid.NewString()
	h.emit(i.event(Invoked, nil))
	err := h.limited(ctx, func(ctx context.Context) error {
		if _, err := h.awaitReady(ctx); err != nil {
			return err
		}
		return h.post(ctx, i)
	})
	h.conclude(i, err)
	return err
}

func (h *Host) conclude(i *invocation, err error) {
	switch {
	case err == nil:
		h.emit(i.event(Succeeded, nil))
	case errors.Is(err, errTimeout):
		h.emit(i.event(TimedOut, err))
	default:
		h.emit(i.event(Failed, err))
	}
}

// limited runs a call under functionTimeout: then the attempt has failed at once, the call gets Times.Grace to end by
// itself, and if it does not the handler is killed and started anew (host: WebScriptHostExceptionHandler.cs). Nothing is
// sent to the handler, and its connection stays open until then.
func (h *Host) limited(ctx context.Context, call func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- call(ctx) }() // ends with ctx at the latest, which is the host's
	var over <-chan time.Time
	if h.config.functionTimeout > 0 {
		timer := time.NewTimer(h.config.functionTimeout)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-over:
	}
	go func() {
		grace := time.NewTimer(h.opt.Times.Grace)
		defer grace.Stop()
		select {
		case <-done: //nolint:errcheck // the attempt has failed already
		case <-h.ctx.Done():
		case <-grace.C:
			h.replaceHandler()
		}
	}()
	return errTimeout
}

// newClient is the host's HTTP client: HTTP/1.1, no cookies, and no redirects when forwarding is on.
func (h *Host) newClient() *http.Client {
	client := &http.Client{Transport: &http.Transport{Proxy: nil, DisableCompression: true, MaxIdleConnsPerHost: 32}}
	if h.config.functionTimeout > 0 {
		client.Timeout = h.config.functionTimeout + h.opt.Times.ClientExtra
	}
	if h.config.forwarding {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return client
}

func (h *Host) handlerURL(path string) string {
	return "http://127.0.0.1:" + strconv.Itoa(h.port) + path
}

// post sends the envelope and reads the answer as the host does.
func (h *Host) post(ctx context.Context, i *invocation) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.handlerURL("/"+i.function.name), bytes.NewReader(i.body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	request.Header.Set("User-Agent", azfunc.UserAgentPrefix+hostVersion)
	hostHeaders(request, i.id)
	response, err := h.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	return h.understand(i, response, body)
}

// maxAnswer bounds what is read of an answer. The real host has no bound below 2 GB.
const maxAnswer = 64 << 20

func hostHeaders(request *http.Request, id string) {
	request.Header.Set(azfunc.HeaderInvocationID, id)
	request.Header.Set(azfunc.HeaderHostVersion, hostVersion)
}

// understand is the host's table of answers (host: DefaultHttpWorkerService.cs).
func (h *Host) understand(i *invocation, response *http.Response, body []byte) error {
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("response status code does not indicate success: %d (%s)", response.StatusCode, http.StatusText(response.StatusCode))
	}
	if len(body) == 0 {
		return h.hang()
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind != "application/json" && kind != "text/json" {
		return fmt.Errorf("unsupported media type %q", kind)
	}
	if string(bytes.TrimSpace(body)) == "null" {
		return h.hang()
	}
	var answer struct {
		Outputs     map[string]json.RawMessage
		Logs        []string
		ReturnValue json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("invalid operation: the answer cannot be read: %w", err)
	}
	for _, line := range answer.Logs {
		h.emit(Event{Kind: FunctionLog, Function: i.function.name, Invocation: i.id, Text: line})
	}
	return nil // outputs without a binding are ignored without a word
}

// hang is what becomes of a 2xx answer without a body, or with null: the host has no branch for it and never completes the
// invocation, which ends at functionTimeout.
func (h *Host) hang() error {
	<-h.ctx.Done()
	return errors.New("the host stopped while an invocation hung on an answer without a body")
}

// RunTimer fires a timer function now, and gives the error of the invocation.
func (h *Host) RunTimer(ctx context.Context, name string) error {
	f, err := h.function(name)
	if err != nil {
		return err
	}
	if f.cron == nil {
		return fmt.Errorf("function %q has no timer trigger", name)
	}
	return h.fire(ctx, f, time.Time{}, false)
}

// pathOf cuts the route prefix off a request's path.
func (h *Host) pathOf(path string) (string, bool) {
	path = strings.TrimPrefix(path, "/")
	if h.config.routePrefix == "" {
		return path, true
	}
	if strings.EqualFold(path, h.config.routePrefix) {
		return "", true
	}
	if len(path) > len(h.config.routePrefix) && strings.EqualFold(path[:len(h.config.routePrefix)+1], h.config.routePrefix+"/") {
		return path[len(h.config.routePrefix)+1:], true
	}
	return "", false
}
