package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/server"
	"decant/handler/internal/server/api"
)

func newBare(t *testing.T) *server.Server { return serve(t, api.Options{Version: "1.2.3"}) }

// TestNothingLeaks: whatever goes wrong below, the answer has the sentence of the kind and nothing of the cause.
func TestNothingLeaks(t *testing.T) {
	d := describe(t)
	secret := errors.New("open /srv/app/secret: AccountKey=abc123 goroutine 7")
	failures := map[string]error{
		"unknown_error":  secret,
		"fault_in_chain": fmt.Errorf("load: %w", fault.New(fault.Storage, "", secret)),
		"internal_words": fault.New(fault.Internal, "/srv/app/secret exploded, AccountKey=abc123", secret),
	}
	for name, failure := range failures {
		for _, r := range requests {
			if strings.HasSuffix(r.path, "health") || strings.HasSuffix(r.path, ".json") || r.path == "/metrics" {
				continue
			}
			t.Run(name+" "+r.method+" "+r.path, func(t *testing.T) {
				s, fake := everything(t)
				fake.err = failure
				w := ask(s, r.method, urlOf(r.path, known, "b1")+r.query, r.body)
				if w.Code < 500 {
					t.Errorf("status = %d, want a server error", w.Code)
				}
				for _, word := range []string{"srv", "AccountKey", "goroutine"} {
					if strings.Contains(w.Body.String(), word) {
						t.Errorf("the answer says %q: %s", word, w.Body)
					}
				}
				d.t = t
				d.check(r.path, r.method, w)
			})
		}
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, method, url, body string
		status                  int
		kind                    string
	}{
		{"unknown_document", "GET", "/api/documents/" + unknown, "", 404, "not_found"},
		{"id_of_another_form", "GET", "/api/documents/../../etc", "", 404, "no_route"},
		{"id_too_short", "GET", "/api/documents/d12", "", 404, "not_found"},
		{"unknown_batch", "GET", "/api/batches/b2", "", 404, "not_found"},
		{"no_such_address", "GET", "/api/nothing", "", 404, "no_route"},
		{"method_not_taken", "PUT", "/api/documents", "", 405, "method_not_allowed"},
		{"state_unknown", "GET", "/api/documents?state=done", "", 400, "bad_request"},
		{"since_wrong", "GET", "/api/documents?since=monday", "", 400, "bad_request"},
		{"limit_zero", "GET", "/api/documents?limit=0", "", 400, "bad_request"},
		{"limit_huge", "GET", "/api/documents?limit=100000", "", 400, "bad_request"},
		{"retry_with_unknown_member", "POST", "/api/documents/" + known + "/retry", `{"memory":1}`, 400, "bad_request"},
		{"retry_with_bad_time", "POST", "/api/documents/" + known + "/retry", `{"limits":{"timeout":"soon"}}`, 400, "bad_request"},
		{"batch_of_nothing", "POST", "/api/batches", `{}`, 400, "bad_request"},
		{"batch_of_foreign_container", "POST", "/api/batches", `{"container":"converted"}`, 400, "bad_request"},
		{"batch_of_foreign_account", "POST", "/api/batches", `{"documents":[{"url":"https://evil.example/documents/a"}]}`, 400, "bad_request"},
		{"batch_with_file_as_tokenizer", "POST", "/api/batches", `{"container":"documents","options":{"tokenizer":"/etc/passwd"}}`, 400, "bad_request"},
		{"batch_not_json", "POST", "/api/batches", `container=documents`, 400, "bad_request"},
		{"batch_two_objects", "POST", "/api/batches", `{"container":"documents"}{}`, 400, "bad_request"},
		{"batch_retry_of_done_ones", "POST", "/api/batches/b1/retry", `{"states":["succeeded"]}`, 400, "bad_request"},
		{"unknown_parameter", "GET", "/api/documents?status=failed", "", 400, "bad_request"},
		{"parameter_of_another_list", "GET", "/api/batches/b1/documents?since=24h", "", 400, "bad_request"},
		{"query_that_cannot_be_read", "GET", "/api/documents?format=a;b", "", 400, "bad_request"},
		{"convert_with_a_typo", "POST", "/api/convert?name=a.md&max_tokens=64", "x", 400, "bad_request"},
		{"convert_too_few_tokens", "POST", "/api/convert?maxTokens=3", "x", 400, "bad_request"},
		{"retry_with_negative_limit", "POST", "/api/documents/" + known + "/retry", `{"limits":{"memory":-1}}`, 400, "bad_request"},
		{"batch_with_negative_limit", "POST", "/api/batches", `{"container":"documents","limits":{"pages":-1}}`, 400, "bad_request"},
		{"batch_with_negative_retries", "POST", "/api/batches", `{"container":"documents","maxRetries":-1}`, 400, "bad_request"},
		{"batch_that_is_over", "POST", "/api/batches", `{"container":"documents","expires":"2020-01-01T00:00:00Z"}`, 400, "bad_request"},
		{"batch_with_a_novel_as_name", "POST", "/api/batches", `{"container":"documents","name":"` + strings.Repeat("x", 1025) + `"}`, 400, "bad_request"},
		{"batch_with_private_webhook", "POST", "/api/batches", `{"container":"documents","webhook":"https://169.254.169.254/x"}`, 400, "bad_request"},
		{"convert_nothing", "POST", "/api/convert?name=a.md", "", 400, "bad_request"},
		{"convert_too_large", "POST", "/api/convert", strings.Repeat("x", 1001), 413, "too_large"},
		{"convert_unknown_word", "POST", "/api/convert?strategy=magic", "x", 400, "bad_request"},
		{"convert_negative_tokens", "POST", "/api/convert?maxTokens=-1", "x", 400, "bad_request"},
		{"convert_overlap_too_large", "POST", "/api/convert?maxTokens=10&overlap=10", "x", 400, "bad_request"},
		{"convert_tokenizer_from_disk", "POST", "/api/convert?tokenizer=/etc/passwd", "x", 400, "bad_request"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _ := everything(t)
			w := ask(s, test.method, test.url, test.body)
			var problem server.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil {
				t.Fatal(err)
			}
			if w.Code != test.status || problem.Status != test.status || problem.Kind != test.kind || problem.Invocation != "7a1c" || problem.Detail == "" {
				t.Errorf("status %d, problem %+v, want %d %s", w.Code, problem, test.status, test.kind)
			}
			if got := w.Header().Get("Content-Type"); got != server.ProblemType {
				t.Errorf("type = %q", got)
			}
		})
	}
}

// TestEveryFaultHasAStatus: no fault reaches people as a success.
func TestEveryFaultHasAStatus(t *testing.T) {
	for _, row := range fault.Rows() {
		s, fake := everything(t)
		fake.err = fault.New(row.Kind, "", nil)
		w := ask(s, "GET", "/api/documents/"+known, "")
		if w.Code < 400 || (row.Status >= 400 && w.Code != row.Status) {
			t.Errorf("%s: status %d, the table says %d", row.Kind, w.Code, row.Status)
		}
	}
}

// TestKeysInTheQuery: Azure's keys may come there, beside the parameters of any address.
func TestKeysInTheQuery(t *testing.T) {
	s, _ := everything(t)
	for _, url := range []string{"/api/documents?code=abc", "/api/documents/" + known + "?code=abc&clientid=x", "/api/batches?CODE=abc"} {
		if w := ask(s, "GET", url, ""); w.Code != 200 {
			t.Errorf("%s = %d %s", url, w.Code, w.Body)
		}
	}
}

// TestBodyIsBlamedInWordsOfJSON: nobody is told of types in Go.
func TestBodyIsBlamedInWordsOfJSON(t *testing.T) {
	for body, want := range map[string]string{
		`[]`:                           "an object is expected, not an array",
		`{"name":5}`:                   "name: a number does not go here",
		`{"limits":{"memory":"1GiB"}}`: "limits.memory: a string does not go here",
		`{"container":`:                "unexpected",
		`{"bogus":1}`:                  "bogus",
	} {
		s, _ := everything(t)
		w := ask(s, "POST", "/api/batches", body)
		if w.Code != 400 || !strings.Contains(w.Body.String(), want) || strings.Contains(w.Body.String(), "Go ") {
			t.Errorf("%s = %d %s, want it to say %q", body, w.Code, w.Body, want)
		}
	}
}

func TestQueriesReachThePort(t *testing.T) {
	s, fake := everything(t)
	ask(s, "GET", "/api/documents?state=failed&format=pdf&since=2026-11-02T10:00:00Z&after=n&limit=7", "")
	want := api.Query{State: "failed", Format: "pdf", Since: time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC), After: "n", Limit: 7}
	if diff := cmp.Diff(want, fake.query); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	ask(s, "GET", "/api/documents?since=2026-11-02T12:00:00+02:00", "")
	if !fake.query.Since.Equal(want.Since) {
		t.Errorf("since = %s, want %s", fake.query.Since, want.Since)
	}
	ask(s, "GET", "/api/documents?since=24h", "")
	if ago := time.Since(fake.query.Since); ago < 23*time.Hour || ago > 25*time.Hour || fake.query.Limit != 100 {
		t.Errorf("query = %+v, want a day back and the default limit", fake.query)
	}
	ask(s, "POST", "/api/documents/"+known+"/retry", `{"limits":{"memory":3221225472,"timeout":"20m"}}`)
	if diff := cmp.Diff(job.Limits{Memory: 3 * job.GiB, Timeout: 20 * time.Minute}, fake.limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	ask(s, "DELETE", "/api/documents/"+known, "")
	if fake.deleted != known {
		t.Errorf("deleted %q", fake.deleted)
	}
}

func TestListsLeaveHistoriesOut(t *testing.T) {
	s, _ := everything(t)
	for _, url := range []string{"/api/documents", "/api/batches", "/api/batches/b1/documents"} {
		if body := ask(s, "GET", url, "").Body.String(); strings.Contains(body, `"attempts"`) || strings.Contains(body, `"activity"`) {
			t.Errorf("%s has histories in it: %s", url, body)
		}
	}
}

func TestConvert(t *testing.T) {
	s, fake := everything(t)
	w := ask(s, "POST", "/api/convert?name=..%2F..%2Fa%00b.md&maxTokens=100&outputs=md,chunks", "# Title", "Content-Type", "text/markdown; charset=utf-8")
	if w.Code != 200 || fake.content != "# Title" {
		t.Fatalf("status %d, content %q: %s", w.Code, fake.content, w.Body)
	}
	want := api.Upload{Name: "ab.md", MediaType: "text/markdown", Size: 7, Options: job.Options{MaxTokens: 100, Outputs: []string{"md", "chunks"}}}
	got := fake.upload
	got.Body = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("upload (-want +got):\n%s", diff)
	}
}

func TestConvertAsMarkdown(t *testing.T) {
	s, _ := everything(t)
	w := ask(s, "POST", "/api/convert", "# Title", "Accept", "text/markdown, */*;q=0.1")
	if w.Body.String() != "# Title\n" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/markdown") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("got %q as %q", w.Body, w.Header())
	}
}

func TestConvertThatTakesLonger(t *testing.T) {
	s, fake := everything(t)
	fake.slow = true
	w := ask(s, "POST", "/api/convert", "# Title")
	if w.Code != 202 || w.Header().Get("Location") != "/api/documents/"+known {
		t.Errorf("status %d, Location %q", w.Code, w.Header().Get("Location"))
	}
}

func form(t *testing.T, name, content string) (*bytes.Buffer, string) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	if err := writer.WriteField("comment", "not a file"); err != nil {
		t.Fatal(err)
	}
	if name != "" {
		part, err := writer.CreateFormFile("file", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return &body, writer.FormDataContentType()
}

func TestConvertForm(t *testing.T) {
	tests := []struct {
		name, file, content string
		status              int
	}{
		{"file", "report.md", "# Title", 200},
		{"no_file", "", "", 400},
		{"empty_file", "report.md", "", 422},
		{"too_large", "report.md", strings.Repeat("x", 1001), 413},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, fake := everything(t)
			body, contentType := form(t, test.file, test.content)
			r := httptest.NewRequest(http.MethodPost, "/api/convert", body)
			r.Header.Set("Content-Type", contentType)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != test.status {
				t.Fatalf("status = %d, want %d: %s", w.Code, test.status, w.Body)
			}
			if test.status == 200 && (fake.content != test.content || fake.upload.Name != test.file) {
				t.Errorf("upload %+v with %q", fake.upload, fake.content)
			}
		})
	}
}

func TestSubmitBatch(t *testing.T) {
	s, fake := everything(t)
	w := ask(s, "POST", "/api/batches", `{"documents":[{"container":"documents","path":"a.pdf"},{"url":"https://acct.blob.core.windows.net/documents/b%20c.pdf"}],"options":{"maxTokens":200}}`, "Idempotency-Key", "k1")
	if w.Code != 202 || w.Header().Get("Location") != "/api/batches/b1" {
		t.Fatalf("status %d, Location %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	if fake.submit.Key != "k1" || fake.submit.Priority != event.PriorityBulk || len(fake.submit.Documents) != 2 || fake.submit.Options.MaxTokens != 200 {
		t.Errorf("submitted %+v", fake.submit)
	}
	fake.again = true
	if w := ask(s, "POST", "/api/batches", `{"container":"documents","key":"k1"}`); w.Code != 200 {
		t.Errorf("the same key again: status %d, want 200", w.Code)
	}
}

func TestHealth(t *testing.T) {
	s, fake := everything(t)
	if w := ask(s, "GET", "/api/health", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"version":"1.2.3"`) || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("health = %d %s", w.Code, w.Body)
	}
	fake.sick = true
	if w := ask(s, "GET", "/api/health", ""); w.Code != 503 {
		t.Errorf("a sick instance answers %d", w.Code)
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	s := serve(t, api.Options{Documents: hollow{}})
	for url, want := range map[string]string{
		"/api/documents":                      `{"documents":[]}`,
		"/api/documents/" + known + "/chunks": `{"chunks":[]}`,
	} {
		if got := strings.TrimSpace(ask(s, "GET", url, "").Body.String()); got != want {
			t.Errorf("%s = %s, want %s", url, got, want)
		}
	}
}
