package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWhoCancelled: the name that Azure's sign-in gives the caller reaches the record, and nothing else of the header.
func TestWhoCancelled(t *testing.T) {
	tests := map[string]string{
		"ann@example.org":                    "ann@example.org",
		"":                                   "",
		"ann\tand\x7fmore":                   "annandmore",
		strings.Repeat("ä", 150):             strings.Repeat("ä", 100),
		"a" + strings.Repeat("ä", 150) + "!": "a" + strings.Repeat("ä", 99),
	}
	for _, url := range []string{"/api/documents/" + known + "/cancel", "/api/batches/b1/cancel"} {
		for name, want := range tests {
			s, fake := everything(t)
			r := httptest.NewRequest(http.MethodPost, url, nil)
			r.Header.Set("X-MS-CLIENT-PRINCIPAL-NAME", name)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != http.StatusOK || fake.by != want {
				t.Errorf("%s by %q: %d, recorded as %q, want %q", url, name, w.Code, fake.by, want)
			}
		}
	}
}
