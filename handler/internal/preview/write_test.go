package preview_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/chunk"
	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
	"decant/handler/internal/preview"
)

func page(t *testing.T, blocks ...doc.Block) string {
	t.Helper()
	d := &doc.Document{Pages: []doc.Page{{Number: 1, Width: 600, Height: 800}}, Blocks: blocks}
	d.Finish()
	chunks, err := chunk.Split(d, markdown.Render(d, markdown.Options{}), chunk.Options{MaxTokens: 32})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := preview.Write(&out, preview.Preview{Title: "A <b>title</b>", Limit: 32, Chunks: chunks, Pages: []preview.Page{{Number: 1, Width: 600, Height: 800}}}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func place(y float64) doc.Place {
	return doc.Place{Page: 1, Box: &doc.Box{X0: 50, Y0: y, X1: 300, Y1: y + 20}}
}

func TestTextIsEscaped(t *testing.T) {
	html := page(t, doc.H(1, "One", place(10)), doc.P("a </script><script>alert(1)</script> b", place(40)))
	if strings.Contains(html, "<script>alert(1)") || strings.Contains(html, "<b>title") {
		t.Error("text of the document became markup of the page")
	}
	for _, want := range []string{`id="chunk-0"`, "default-src &#39;none&#39;", "prefers-color-scheme: dark"} {
		if !strings.Contains(html, want) && !strings.Contains(html, strings.ReplaceAll(want, "&#39;", "'")) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"http://", "https://"} {
		if strings.Contains(strings.ReplaceAll(html, "http://www.w3.org/2000/svg", ""), never) {
			t.Errorf("the page refers to something outside: %s", never)
		}
	}
}

// TestInBrowser opens the page in Chromium, where there is one, chooses the second chunk by its keys, and looks for its box.
func TestInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	html := page(t, doc.H(1, "One", place(10)), doc.P(strings.Repeat("some words ", 12), place(40)), doc.H(1, "Two", place(200)), doc.P(strings.Repeat("other words ", 12), place(240)))
	press := `<script>for (let i = 0; i < 2; i++) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));</script></body>`
	file := filepath.Join(t.TempDir(), "preview.html")
	if err := os.WriteFile(file, []byte(strings.Replace(html, "</body>", press, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Skipf("chromium does not run here: %v", err)
	}
	dom := string(out)
	if !strings.Contains(dom, `y="240"`) || strings.Count(dom, `aria-current="true"`) != 1 {
		t.Errorf("the second chunk's box is not shown: %s", dom[max(0, len(dom)-2500):])
	}
}
