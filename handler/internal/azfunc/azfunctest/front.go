package azfunctest

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"decant/handler/internal/azfunc"
)

// maxInbound is the largest request body that the host takes (host: ScriptConstants.cs).
const maxInbound = 104_857_600

func (h *Host) serveFront(listener net.Listener) {
	h.url = "http://" + listener.Addr().String()
	h.front = &http.Server{Handler: http.HandlerFunc(h.serve), ReadHeaderTimeout: 10 * time.Second}
	h.service.Go(func() {
		if err := h.front.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			go h.fail(err)
		}
	})
}

// serve is the HTTP front: what is below the route prefix goes to a function by its route, method and key.
func (h *Host) serve(w http.ResponseWriter, r *http.Request) {
	if strings.EqualFold(r.URL.Path, "/admin/host/ping") || r.URL.Path == "/" {
		w.WriteHeader(http.StatusOK)
		return
	}
	f := h.routeTo(r)
	switch {
	case f == nil:
		w.WriteHeader(http.StatusNotFound)
	case !h.mayCall(f, r):
		w.WriteHeader(http.StatusUnauthorized)
	default:
		h.forward(w, r, f)
	}
}

func (h *Host) routeTo(r *http.Request) *function {
	path, ok := h.pathOf(r.URL.Path)
	if !ok {
		return nil
	}
	var best *function
	bestScore := -1
	for _, f := range h.functions {
		if f.route == nil || (len(f.trigger.Methods) > 0 && !slices.ContainsFunc(f.trigger.Methods, func(m string) bool { return strings.EqualFold(m, r.Method) })) {
			continue
		}
		if score, ok := f.route.match(strings.Trim(path, "/")); ok && score > bestScore {
			best, bestScore = f, score
		}
	}
	return best
}

// mayCall checks the key where one is required. Without Options.FunctionKey nothing is checked, as under `func start`.
func (h *Host) mayCall(f *function, r *http.Request) bool {
	if h.opt.FunctionKey == "" || strings.EqualFold(f.trigger.AuthLevel, "anonymous") {
		return true
	}
	key := r.Header.Get("x-functions-key")
	if key == "" {
		key = r.URL.Query().Get("code")
	}
	return subtle.ConstantTimeCompare([]byte(key), []byte(h.opt.FunctionKey)) == 1
}

// forward is enableForwardingHttpRequest (host: DefaultHttpWorkerService.cs, HttpRequestExtensions.cs): the request with its
// method, full path, query and headers, everything held in memory both ways.
func (h *Host) forward(w http.ResponseWriter, r *http.Request, f *function) {
	id := uuid.NewString()
	request, err := h.forwarded(w, r, id)
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	i := &invocation{function: f, id: id}
	h.emit(i.event(Invoked, nil))
	var response *http.Response
	var body []byte
	// Not the caller's context: the host does not tell the handler when its own caller hangs up.
	err = h.limited(h.ctx, func(ctx context.Context) error {
		if _, err := h.awaitReady(ctx); err != nil {
			return err
		}
		answer, err := h.client.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		content, err := io.ReadAll(io.LimitReader(answer.Body, maxInbound))
		if err == nil {
			response, body = answer, content
		}
		return err
	})
	h.conclude(i, err) // a success whatever the status: it is passed through
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	copyHeaders(w.Header(), response.Header, hopByHop)
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body)
}

// contentHeaders are those that .NET keeps with the body; of them only the type and the length are forwarded.
var contentHeaders = []string{
	"Allow", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Location", "Content-Md5", "Content-Range",
	"Expires", "Last-Modified",
}

var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length"}

func (h *Host) forwarded(w http.ResponseWriter, r *http.Request, id string) (*http.Request, error) {
	var body []byte
	if r.ContentLength > 0 { // a chunked upload has none, and arrives empty
		var err error
		if body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxInbound)); err != nil {
			return nil, err
		}
	}
	target := h.handlerURL(r.URL.EscapedPath())
	if query := joinQuery(r.URL.RawQuery); query != "" {
		target += "?" + query
	}
	request, err := http.NewRequestWithContext(h.ctx, r.Method, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	copyHeaders(request.Header, r.Header, append(slices.Clone(contentHeaders), hopByHop...))
	if len(body) == 0 {
		request.Header.Del("Content-Type")
	}
	agent := azfunc.UserAgentPrefix + hostVersion
	request.Header.Set("User-Agent", strings.TrimSpace(r.UserAgent()+" "+agent))
	hostHeaders(request, id)
	return request, nil
}

// joinQuery joins repeated keys by commas.
func joinQuery(raw string) string {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return raw
	}
	for key, list := range values {
		values[key] = []string{strings.Join(list, ",")}
	}
	return values.Encode()
}

func copyHeaders(to, from http.Header, except []string) {
	for name, values := range from {
		if !slices.Contains(except, name) {
			to[name] = values
		}
	}
}
