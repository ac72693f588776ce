package batch_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/batch"
)

// TestSnippetVerifies runs the Python that docs/api.md gives to receivers of webhooks: it takes what Sign made, and nothing else.
func TestSnippetVerifies(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	page, err := os.ReadFile("../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```python\n")
	snippet, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/api.md has no Python in it")
	}
	const call = "\nimport sys\nprint(genuine(sys.argv[1], sys.argv[2], sys.argv[3].encode(), float(sys.argv[4])))\n"
	at := time.Unix(1_800_000_000, 0)
	body := `{"batchId":"b1","name":"Übung"}`
	signed := batch.Sign("secret", at, []byte(body))
	for _, c := range []struct{ name, secret, header, body, now, want string }{
		{"as it was sent", "secret", signed, body, "1800000010", "True"},
		{"another body", "secret", signed, body + " ", "1800000010", "False"},
		{"another secret", "public", signed, body, "1800000010", "False"},
		{"sent again much later", "secret", signed, body, "1800001000", "False"},
		{"another time", "secret", strings.Replace(signed, "1800000000", "1800000001", 1), body, "1800000010", "False"},
	} {
		out, err := exec.CommandContext(t.Context(), python, "-c", snippet+call, c.secret, c.header, c.body, c.now).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}
