package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"decant/handler/internal/server"
)

var discard = slog.New(slog.DiscardHandler)

// description is openapi.json, closed: an object with listed members may have no others, so that a member which is missing
// in the description fails the test although clients must tolerate it.
type description struct {
	t        *testing.T
	doc      map[string]any
	compiler *jsonschema.Compiler
}

func describe(t *testing.T) *description {
	t.Helper()
	data, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(doc)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return &description{t, doc.(map[string]any), compiler}
}

func closeObjects(node any) {
	switch n := node.(type) {
	case map[string]any:
		if _, ok := n["properties"].(map[string]any); ok && n["additionalProperties"] == nil {
			n["additionalProperties"] = false
		}
		for _, child := range n {
			closeObjects(child)
		}
	case []any:
		for _, child := range n {
			closeObjects(child)
		}
	}
}

func (d *description) paths() map[string]any { return d.doc["paths"].(map[string]any) }

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// TestRoutesAreDescribed: every route of the API is in the description, and nothing else is.
func TestRoutesAreDescribed(t *testing.T) {
	s, _ := everything(t)
	var got, want []string
	for _, route := range s.Routes() {
		if strings.Contains(route, " /api/") && !strings.HasSuffix(route, "*") {
			got = append(got, route)
		}
	}
	for path, item := range describe(t).paths() {
		for method := range item.(map[string]any) {
			want = append(want, strings.ToUpper(method)+" /api"+parameter.ReplaceAllString(path, ":$1"))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("routes (-described +registered):\n%s", diff)
	}
}

func TestOperationIDsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for path, item := range describe(t).paths() {
		for method, operation := range item.(map[string]any) {
			id, _ := operation.(map[string]any)["operationId"].(string)
			if id == "" || seen[id] {
				t.Errorf("%s %s: operationId %q is missing or used twice", method, path, id)
			}
			seen[id] = true
		}
	}
}

// TestReferencesResolve compiles every schema of the description, which follows every reference in it.
func TestReferencesResolve(t *testing.T) {
	d := describe(t)
	for name := range d.doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if _, err := d.compiler.Compile("openapi.json#/components/schemas/" + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, _ := json.Marshal(d.doc)
	for _, match := range regexp.MustCompile(`"\$ref":"#/components/parameters/(\w+(-\w+)*)"`).FindAllSubmatch(text, -1) {
		if _, ok := d.doc["components"].(map[string]any)["parameters"].(map[string]any)[string(match[1])]; !ok {
			t.Errorf("there is no parameter %s", match[1])
		}
	}
}

// check holds an answer against what the description says of this path, method and status.
func (d *description) check(path, method string, w *httptest.ResponseRecorder) {
	d.t.Helper()
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	at := "openapi.json#/paths/" + strings.ReplaceAll(strings.ReplaceAll(path, "~", "~0"), "/", "~1") + "/" + strings.ToLower(method) + "/responses/"
	operation := d.paths()[path].(map[string]any)[strings.ToLower(method)].(map[string]any)
	status := strconv.Itoa(w.Code)
	response, described := operation["responses"].(map[string]any)[status].(map[string]any)
	if !described {
		if w.Code < 400 {
			d.t.Errorf("%s %s: status %s is not described", method, path, status)
			return
		}
		if mediaType != server.ProblemType {
			d.t.Errorf("%s %s: status %s as %q, want %s", method, path, status, mediaType, server.ProblemType)
		}
		d.validate("openapi.json#/components/schemas/Problem", w)
		return
	}
	content, _ := response["content"].(map[string]any)
	if content == nil {
		return // a HEAD answer
	}
	if content[mediaType] == nil {
		d.t.Errorf("%s %s: type %q is not described", method, path, mediaType)
		return
	}
	if mediaType == "application/json" {
		d.validate(at+status+"/content/application~1json/schema", w)
	}
}

func (d *description) validate(schema string, w *httptest.ResponseRecorder) {
	d.t.Helper()
	compiled, err := d.compiler.Compile(schema)
	if err != nil {
		d.t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		d.t.Fatalf("%v: %s", err, w.Body)
	}
	if err := compiled.Validate(value); err != nil {
		d.t.Errorf("the answer does not fit its description: %v\n%s", err, w.Body)
	}
}

func ask(s http.Handler, method, url, body string, headers ...string) *httptest.ResponseRecorder {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, url, reader)
	r.Header.Set("X-Azure-Functions-InvocationId", "7a1c")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// requests has at least one request per operation; {id} is filled in.
var requests = []struct {
	method, path, query, body string
	status                    int
}{
	{"GET", "/health", "", "", 200},
	{"HEAD", "/health", "", "", 200},
	{"GET", "/openapi.json", "", "", 200},
	{"GET", "/stats", "", "", 200},
	{"GET", "/metrics", "", "", 200},
	{"GET", "/documents", "?state=failed&since=24h&limit=10&format=pdf&after=x", "", 200},
	{"GET", "/documents/{id}", "", "", 200},
	{"DELETE", "/documents/{id}", "", "", 200},
	{"GET", "/documents/{id}/markdown", "", "", 200},
	{"GET", "/documents/{id}/chunks", "?limit=5", "", 200},
	{"POST", "/documents/{id}/retry", "", `{"limits":{"memory":3221225472,"timeout":"20m"}}`, 202},
	{"POST", "/documents/{id}/cancel", "", "", 200},
	{"POST", "/convert", "?name=a.md&maxTokens=100", "# Title", 200},
	{"GET", "/batches", "", "", 200},
	{"POST", "/batches", "", `{"container":"documents","prefix":"2026/"}`, 202},
	{"GET", "/batches/{id}", "", "", 200},
	{"GET", "/batches/{id}/documents", "?state=failed", "", 200},
	{"GET", "/batches/{id}/activity", "", "", 200},
	{"POST", "/batches/{id}/cancel", "", "", 200},
	{"POST", "/batches/{id}/retry", "", `{"states":["failed"]}`, 202},
}

func urlOf(path, document, batch string) string {
	if strings.HasPrefix(path, "/batches") {
		return "/api" + strings.Replace(path, "{id}", batch, 1)
	}
	return "/api" + strings.Replace(path, "{id}", document, 1)
}

// TestAnswersFitTheirDescription: real answers of every operation, with every member filled, are valid.
func TestAnswersFitTheirDescription(t *testing.T) {
	d := describe(t)
	missing := map[string]bool{}
	for path, item := range d.paths() {
		for method := range item.(map[string]any) {
			missing[strings.ToUpper(method)+" "+path] = true
		}
	}
	for _, r := range requests {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			s, _ := everything(t)
			d.t = t
			w := ask(s, r.method, urlOf(r.path, known, "b1")+r.query, r.body)
			if w.Code != r.status {
				t.Errorf("status = %d, want %d: %s", w.Code, r.status, w.Body)
			}
			d.check(r.path, r.method, w)
		})
		delete(missing, r.method+" "+r.path)
	}
	for operation := range missing {
		t.Errorf("%s has no request in this test", operation)
	}
}

// TestPartsThatAreNotThere answer 501 problem details; health and the description always work.
func TestPartsThatAreNotThere(t *testing.T) {
	d := describe(t)
	bare := newBare(t)
	for _, r := range requests {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			d.t = t
			w := ask(bare, r.method, urlOf(r.path, known, "b1")+r.query, r.body)
			want := 501
			if r.path == "/health" || r.path == "/openapi.json" {
				want = 200
			}
			if w.Code != want {
				t.Errorf("status = %d, want %d", w.Code, want)
			}
			d.check(r.path, r.method, w)
		})
	}
}
