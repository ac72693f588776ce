package azfunctest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/azfunc"
)

func newFront(t *testing.T) *app {
	a := newApp(t)
	a.write("api/function.json", httpFunction)
	a.write("health/function.json", openFunction)
	a.start()
	return a
}

// TestForwarding is section 4: method, full path and headers arrive; chunked bodies and most content headers do not.
func TestForwarding(t *testing.T) {
	a := newFront(t)
	request, _ := http.NewRequest(http.MethodPost, a.host.URL()+"/api/documents/a%2Fb?x=1&x=2", strings.NewReader("body"))
	request.Header.Set("Content-Type", "text/markdown")
	request.Header.Set("Content-Disposition", "attachment")
	request.Header.Set("X-Own", "kept")
	request.Header.Set("User-Agent", "curl/8")
	if got := a.do(request); !strings.HasPrefix(got, "200 ") {
		t.Fatal(got)
	}
	chunked, _ := http.NewRequest(http.MethodPost, a.host.URL()+"/api/convert", struct{ *strings.Reader }{strings.NewReader("body")})
	if got := a.do(chunked); !strings.HasPrefix(got, "200 ") {
		t.Fatal(got)
	}
	calls := a.calls("POST")
	first := calls[0]
	if first.Path != "/api/documents/a/b" || first.Query != "x=1%2C2" || first.Body != "body" {
		t.Errorf("forwarded %s?%s with body %q", first.Path, first.Query, first.Body)
	}
	want := map[string]string{
		"Content-Type": "text/markdown", "Content-Disposition": "", "X-Own": "kept",
		"User-Agent": "curl/8 " + azfunc.UserAgentPrefix + "4.1037.0", "Content-Length": "4",
	}
	got := map[string]string{}
	for name := range want {
		got[name] = first.Header.Get(name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if first.Header.Get(azfunc.HeaderInvocationID) == "" {
		t.Error("there is no invocation id")
	}
	if calls[1].Body != "" {
		t.Errorf("a chunked upload arrived with %q; the host forwards a body only when its length is declared", calls[1].Body)
	}
}

func TestStatusPassesThrough(t *testing.T) {
	a := newFront(t)
	for _, status := range []string{"404", "302", "500"} {
		if got := a.get("/api/x", "Do", "status "+status); !strings.HasPrefix(got, status+" {") {
			t.Errorf("status %s came as %q", status, got)
		}
	}
}

func TestLostHandlerIsA500(t *testing.T) {
	a := newFront(t)
	if got := a.get("/api/x", "Do", "exit 200"); got != "500 " {
		t.Errorf("got %q", got)
	}
}

// TestRoutes: only what is below the prefix reaches the handler, so that nobody outside can call a queue function.
func TestRoutes(t *testing.T) {
	a := newApp(t)
	a.write("api/function.json", httpFunction)
	a.write("health/function.json", openFunction)
	a.options.FunctionKey = "secret"
	a.start()
	tests := []struct {
		name, path, header, want string
	}{
		{"anonymous", "/api/health", "", "200"},
		{"prefix_in_other_case", "/API/Health", "", "200"},
		{"key_missing", "/api/documents", "", "401"},
		{"key_wrong", "/api/documents", "other", "401"},
		{"key_in_header", "/api/documents", "secret", "200"},
		{"key_in_query", "/api/documents?code=secret", "", "200"},
		{"below_the_open_route", "/api/health/x", "", "401"},
		{"queue_function", "/convert", "secret", "404"},
		{"prefix_only_begins_alike", "/apiconvert", "secret", "404"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var headers []string
			if test.header != "" {
				headers = []string{"x-functions-key", test.header}
			}
			if got := a.get(test.path, headers...); !strings.HasPrefix(got, test.want+" ") {
				t.Errorf("GET %s = %s, want %s", test.path, got, test.want)
			}
		})
	}
}
