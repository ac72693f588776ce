package azfunc_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/azfunc"
)

func TestAnswerAlwaysHasABody(t *testing.T) {
	for _, status := range []int{200, 204, 205, 304, 500, 503} {
		w := httptest.NewRecorder()
		if err := (azfunc.Answer{}).Write(w, status); err != nil {
			t.Fatal(err)
		}
		if w.Body.Len() == 0 || w.Header().Get("Content-Type") != "application/json" || !json.Valid(w.Body.Bytes()) {
			t.Errorf("Write(%d) gave %q as %q: the host would hang", status, w.Body, w.Header().Get("Content-Type"))
		}
		if w.Code == http.StatusNoContent {
			t.Errorf("Write(%d) kept a status that may have no body", status)
		}
	}
}

func TestAnswerThatDoesNotMarshalIsAFailure(t *testing.T) {
	w := httptest.NewRecorder()
	err := azfunc.Answer{ReturnValue: func() {}}.Write(w, 200)
	if err == nil || w.Code != 500 || w.Body.String() != "{}" {
		t.Errorf("Write() = %v, status %d, body %q, want an error, 500 and {}", err, w.Code, w.Body)
	}
}

func TestOutputsSurviveTheHostsBase64Guess(t *testing.T) {
	tests := []struct{ name, text, wire string }{
		{"plain_words", "done and dusted", "done and dusted"},
		{"four_letters", "done", "ZG9uZQ=="},
		{"white_space_is_skipped_by_dotnet", "do\nne", "ZG8KbmU="},
		{"hexadecimal_id", "0123456789abcdef0123456789abcdef", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},
		{"document_id_has_33_characters", "d0123456789abcdef0123456789abcdef", "d0123456789abcdef0123456789abcdef"},
		{"json", `{"a":1}`, `{"a":1}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var answer azfunc.Answer
			answer.SetText("out", test.text)
			if got := answer.Outputs["out"]; got != test.wire {
				t.Errorf("SetText(%q) sends %q, want %q", test.text, got, test.wire)
			}
		})
	}
}

func TestLogStreams(t *testing.T) {
	var stdout, stderr bytes.Buffer
	log := slog.New(azfunc.NewLogHandler(&stdout, &stderr, slog.LevelInfo)).With("invocation", "7a1c")
	log.Debug("hidden")
	log.Info("converted")
	log.Warn("slow")
	log.Error("Warning: storage gave a warning")
	if n := strings.Count(stdout.String(), "\n"); n != 2 || !strings.Contains(stdout.String(), `"invocation":"7a1c"`) {
		t.Errorf("standard output has %d lines, want information and warning with their id:\n%s", n, &stdout)
	}
	if strings.Contains(strings.ToLower(stderr.String()), "warn") {
		t.Errorf("the host would class this error as a warning: %s", &stderr)
	}
	var line struct{ Msg, Invocation string }
	if err := json.Unmarshal(stderr.Bytes(), &line); err != nil || line.Msg != "Warning: storage gave a warning" || line.Invocation != "7a1c" {
		t.Errorf("the error line reads %+v, %v", line, err)
	}
}

func TestRoutePrefix(t *testing.T) {
	tests := []struct {
		name, host, setting, want string
		fails                     bool
	}{
		{"default", `{"version":"2.0"}`, "", "api", false},
		{"no_host_json", "", "", "api", false},
		{"host_json", `{"extensions":{"http":{"routePrefix":"v1"}}}`, "", "v1", false},
		{"app_setting_wins", `{"extensions":{"http":{"routePrefix":"v1"}}}`, "azurefunctionsjobhost__Extensions__http__routePrefix=x/", "x", false},
		{"empty_in_host_json", `{"extensions":{"http":{"routePrefix":""}}}`, "", "", true},
		{"emptied_by_app_setting", `{}`, "AzureFunctionsJobHost__extensions__http__routePrefix=", "", true},
		{"broken", `{`, "", "", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			if test.host != "" {
				if err := os.WriteFile(filepath.Join(root, "host.json"), []byte(test.host), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := azfunc.RoutePrefix(root, []string{"A=b", test.setting})
			if got != test.want || (err != nil) != test.fails {
				t.Errorf("RoutePrefix() = %q, %v, want %q, error %v", got, err, test.want, test.fails)
			}
		})
	}
}
