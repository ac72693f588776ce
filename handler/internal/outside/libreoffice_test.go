//go:build linux

package outside_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
)

// legacyFile saves a readable source in an old format, with the LibreOffice that is to read it later.
func legacyFile(t *testing.T, source, extension string, how ...string) string {
	t.Helper()
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed: apt-get install libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), limits.Timeout)
	defer cancel()
	if len(how) == 0 {
		how = []string{"--convert-to", extension}
	}
	arguments := append([]string{"-env:UserInstallation=file://" + dir + "/profile", "--headless"}, how...)
	c := exec.CommandContext(ctx, office, append(arguments, "--outdir", dir, filepath.Join("testdata", source))...)
	out, err := c.CombinedOutput()
	name := filepath.Join(dir, strings.TrimSuffix(source, filepath.Ext(source))+"."+extension)
	if _, missing := os.Stat(name); err != nil || missing != nil {
		t.Skipf("this LibreOffice cannot save %s (its package may be missing): %v\n%s", extension, err, out)
	}
	return name
}

// TestLibreOffice reads old Office files through the built-in entries, whatever their names say.
func TestLibreOffice(t *testing.T) {
	tests := []struct {
		source, extension, format, returns string
		how                                []string // to save it as that
		want                               []string
	}{
		{"letter.html", "doc", "doc", "docx", []string{"--infilter=HTML (StarWriter)", "--convert-to", "doc:MS Word 97"}, []string{"# Ice report\n", "The **ice** on the lake", "- Saimaa\n", "| Inari | 0.61 |"}},
		{"prices.csv", "xls", "xls", "xlsx", nil, []string{"| Lake", "0.61", "Saimaa"}},
		{"plan.fodp", "ppt", "ppt", "pptx", nil, []string{"Plan of the expedition", "Drill at dawn"}},
	}
	for _, tt := range tests {
		t.Run(tt.extension, func(t *testing.T) {
			content, err := os.ReadFile(legacyFile(t, tt.source, tt.extension, tt.how...))
			if err != nil {
				t.Fatal(err)
			}
			l := job.Limits{Memory: job.GiB, Timeout: limits.Timeout, NoProgress: limits.NoProgress}
			e := convertOne(t, newRouter(t, child.SandboxAuto), request(t, "upload", string(content), l))
			if e.err != nil {
				t.Fatalf("%v\n%s", e.err, e.usage.Stderr)
			}
			for _, want := range tt.want {
				if !strings.Contains(e.text, want) {
					t.Errorf("no %q in:\n%s", want, e.text)
				}
			}
			o := e.result.Outside
			if e.result.Format != tt.format || o == nil || o.Returns != tt.returns || !strings.HasPrefix(o.Version, "LibreOffice ") {
				t.Errorf("format %q through %+v", e.result.Format, o)
			}
			t.Logf("peak %d MiB, %s, locks %v", e.usage.PeakMemory/job.MiB, e.usage.Wall, e.usage.OutsideLocks)
			if left, _ := filepath.Glob("/tmp/OSL_PIPE_*"); len(left) > 0 {
				t.Logf("sockets that are still listened on, or belong to others: %v", left)
			}
		})
	}
}

// TestLibreOfficeOnRubbish: a damaged file is a fault that says so, not a crash of anything.
func TestLibreOfficeOnRubbish(t *testing.T) {
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip("LibreOffice is not installed")
	}
	damaged, err := os.ReadFile("../format/legacy/testdata/letter.doc")
	if err != nil {
		t.Fatal(err)
	}
	for i := 512; i < len(damaged); i += 3 {
		damaged[i] ^= 0x55
	}
	e := convertOne(t, newRouter(t, child.SandboxAuto), request(t, "letter.doc", string(damaged), limits))
	if e.err == nil && e.text != "" || e.err != nil && e.kind() != "corrupt" && e.kind() != "crash" && e.kind() != "encrypted" {
		t.Errorf("kind %s, text %q: %v", e.kind(), e.text, e.err)
	}
}
