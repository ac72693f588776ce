package pdfium_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"decant/handler/internal/pdfium"
	"decant/handler/internal/pdftest"
)

// warmDir compiles the engine once for all tests of the machine.
var warmDir = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(os.TempDir(), "decant-test-pdf-cache")
	return dir, pdfium.Warm(context.Background(), dir)
})

func start(t testing.TB, memory int64) *pdfium.Engine {
	t.Helper()
	dir, err := warmDir()
	if err != nil {
		t.Fatal(err)
	}
	e, err := pdfium.Start(context.Background(), pdfium.Config{CacheDir: dir, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func open(t testing.TB, e *pdfium.Engine, data []byte) *pdfium.Document {
	t.Helper()
	d, err := e.Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCharsAndObjects(t *testing.T) {
	f := pdftest.New()
	f.Page("BT /F2 24 Tf 72 700 Td (Hi) Tj ET 2 w 72 600 m 300 600 l S 0.5 g 100 100 50 20 re f")
	page := open(t, start(t, 0), f.Bytes()).Page(0)
	defer page.Close()
	chars, complete := page.Chars(nil)
	if len(chars) != 2 || !complete || chars[0].Rune != 'H' || chars[0].X != 72 || chars[0].Y != 700 {
		t.Fatalf("chars %+v", chars)
	}
	text := page.Text(chars[0].Object)
	if text.Font.Name != "Helvetica-Bold" || text.Size != 24 || text.Mode != 0 || text.Fill.A != 255 {
		t.Errorf("text %+v", text)
	}
	var kinds []pdfium.ObjectKind
	page.Objects(func(o pdfium.Object) {
		kinds = append(kinds, o.Kind)
		if o.Stroked {
			s, _ := page.Segments(o, nil)
			if len(s) != 2 || s[1].X != 300 || s[1].Y != 600 || o.LineWidth != 2 {
				t.Errorf("segments %+v, width %v", s, o.LineWidth)
			}
		}
	})
	if fmt.Sprint(kinds) != "[1 2 2]" {
		t.Errorf("kinds %v", kinds)
	}
}

func TestFormObjectsArePlaced(t *testing.T) {
	f := pdftest.New()
	form := f.Stream("/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [2 0 0 2 0 0]", "10 10 20 20 re f")
	f.PageWith("q 1 0 0 1 100 300 cm /Fm1 Do Q", fmt.Sprintf("/XObject << /Fm1 %d 0 R >>", form), "")
	page := open(t, start(t, 0), f.Bytes()).Page(0)
	defer page.Close()
	var got pdfium.Rect
	page.Objects(func(o pdfium.Object) { got = o.Bounds })
	if want := (pdfium.Rect{Left: 120, Bottom: 320, Right: 160, Top: 360}); got != want {
		t.Errorf("bounds %+v, want %+v", got, want)
	}
}

func TestOutlineCycleEnds(t *testing.T) {
	f := pdftest.New()
	root := f.Object("")
	item := f.Object("")
	f.Page("")
	data := f.Bytes()
	data = bytes.Replace(data, []byte(fmt.Sprintf("%d 0 obj\n\nendobj", root)), []byte(fmt.Sprintf("%d 0 obj\n<</First %d 0 R/Last %d 0 R>>\nendobj", root, item, item)), 1)
	data = bytes.Replace(data, []byte(fmt.Sprintf("%d 0 obj\n\nendobj", item)), []byte(fmt.Sprintf("%d 0 obj\n<</Title(Loop)/Next %d 0 R/First %d 0 R/Parent %d 0 R>>\nendobj", item, item, item, root)), 1)
	data = bytes.Replace(data, []byte("/Type /Catalog"), []byte(fmt.Sprintf("/Type /Catalog /Outlines %d 0 R", root)), 1)
	if got := open(t, start(t, 0), data).Outline(1000); len(got) > 1000 {
		t.Errorf("%d bookmarks", len(got))
	}
}

func TestMemoryLimitLeavesAUsableProcess(t *testing.T) {
	f := pdftest.New()
	f.Page("")
	e := start(t, 32<<20)
	d := open(t, e, f.Bytes())
	page := d.Page(0)
	if g := page.Render(600); g != nil && e.Err() == nil {
		t.Errorf("a 600 dpi page of 33 MB was drawn within 32 MB: memory %d", e.MemoryBytes())
	}
	if e.Err() != nil {
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	if open(t, e, f.Bytes()).Pages() != 1 {
		t.Error("the engine does not read after the limit was met")
	}
}

func TestOpenErrors(t *testing.T) {
	e := start(t, 0)
	for _, data := range []string{"", "hello", "%PDF-1.7", "%PDF-1.7\n" + strings.Repeat("[", 100_000)} {
		if _, err := e.Open(strings.NewReader(data), int64(len(data)), ""); !errors.Is(err, pdfium.ErrFormat) {
			t.Errorf("Open(%.10q) = %v, want ErrFormat", data, err)
		}
	}
	if e.Err() != nil {
		t.Error(e.Err())
	}
}

// TestDamagedCacheIsRebuilt cuts the compiled file: wazero answers that with an error, not with compiling anew.
func TestDamagedCacheIsRebuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the engine twice")
	}
	good, err := warmDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			return os.Truncate(path, 1000)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := pdfium.Warm(context.Background(), dir); err != nil {
		t.Fatalf("Warm does not mend the cache: %v", err)
	}
	e, err := pdfium.Start(context.Background(), pdfium.Config{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
}
