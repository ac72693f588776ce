package pdf_test

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/format"
	"decant/handler/internal/format/pdf"
	"decant/handler/internal/pdftest"
)

func debugPage(t *testing.T, data []byte, name string) (string, *files) {
	t.Helper()
	dir, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	kept := newFiles()
	var b bytes.Buffer
	in := &format.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: name, Limits: format.Limits{Pages: 100, Members: 10}, Files: kept, Progress: func(int, int) {}}
	if err := pdf.WriteDebug(context.Background(), pdf.Options{CacheDir: dir}, in, &b); err != nil {
		t.Fatal(err)
	}
	return b.String(), kept
}

// ruledTable is a page with a heading, a table of 200 x 60 points and a footer that repeats.
func ruledTable() []byte {
	f := pdftest.New()
	for _, name := range []string{"keepers", "tides", "boats", "lights"} {
		c := &pdftest.Content{}
		c.Text("F2", 20, 72, 720, "Gauges <b>& "+name)
		c.Text("F1", 11, 72, 690, "The gauge in the estuary stands in mud and is read once a day.")
		c.Grid([]float64{72, 172, 272}, []float64{640, 620, 600, 580})
		for row, words := range [][2]string{{"Station", "Level"}, {"North", "14"}, {"South", "15"}} {
			c.Text("F1", 11, 80, 625-20*float64(row), words[0])
			c.Text("F1", 11, 180, 625-20*float64(row), words[1])
		}
		c.Text("F1", 9, 72, 30, "Harbour office, quarterly report")
		f.Page(c.String())
	}
	return f.Bytes()
}

func TestWriteDebug(t *testing.T) {
	page, kept := debugPage(t, ruledTable(), `a"<script>.pdf`)
	for _, want := range []string{
		"data:image/png", `class="heading"`, `class="word"`, `class="table"`, `class="cell`, `class="furniture"`, `<path d="M`, "Page 4",
		"Content-Security-Policy", "row 2, column 1: North", "Gauges &lt;b&gt;&amp; keepers",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "<b>") {
		t.Error("text of the document became markup of the page")
	}
	if len(kept.images)+len(kept.attachments) > 0 {
		t.Error("looking at a layout keeps files")
	}
}

// TestWriteDebugInBrowser opens the page in Chromium, where there is one, and measures the table's frame on the screen.
func TestWriteDebugInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	page, _ := debugPage(t, ruledTable(), "table.pdf")
	file, shot := filepath.Join(dir, "layout.html"), filepath.Join(dir, "shot.png")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--window-size=900,1250", "--screenshot=" + shot, "file://" + file}
	if out, err := exec.CommandContext(t.Context(), browser, args...).CombinedOutput(); err != nil {
		t.Skipf("chromium does not run here: %v %.300s", err, out)
	}
	f, err := os.Open(shot)
	if err != nil {
		t.Skipf("chromium took no picture: %v", err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	x0, y0, x1, y1 := 9999, 9999, 0, 0
	for y := 150; y < 1200; y++ { // below the legend
		for x := range 900 {
			r, g, b, _ := picture.At(x, y).RGBA()
			if r>>8 > 150 && g>>8 < 90 && b>>8 < 90 {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			}
		}
	}
	// 200 x 60 points at 96 pixels an inch, and as much more as the strokes are wide.
	if w, h := x1-x0, y1-y0; w < 262 || w > 276 || h < 74 || h > 90 {
		t.Errorf("the table's frame is %d x %d pixels, from %d,%d", w, h, x0, y0)
	}
}
