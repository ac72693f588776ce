package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pdftest"
)

// precheckFolder writes PDFs of every class, files of other formats, and files that kill the process that looks at them.
func precheckFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, "in", name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, "in", name), data, 0o644))
	}
	text := "BT /F1 12 Tf 72 700 Td (A page with words on it) Tj ET"
	scan := "q 600 0 0 780 0 0 cm /Im1 Do Q"
	file := func(pages ...string) []byte {
		f := pdftest.New()
		image := f.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x80")
		for _, p := range pages {
			f.PageWith(p, fmt.Sprintf("/XObject << /Im1 %d 0 R >>", image), "")
		}
		return f.Bytes()
	}
	write("a/text.pdf", file(text))
	write("a/scan.pdf", file(scan, scan))
	write("a/mixed.pdf", file(text, scan))
	write("a/blank.pdf", file(""))
	write("a/cut.pdf", file(text)[:60])
	write("a/.hidden.pdf", file(text))
	locked, err := os.ReadFile(repository + "samples/encrypted-minutes.pdf")
	must(t, err)
	write("locked.pdf", locked)
	write("bomb.pdf", append([]byte("%PDF-1.4\n"), bytes.Repeat([]byte("["), 200_000)...))
	write("notes.md", []byte("# Notes\n\nText.\n"))
	write("zero.txt", nil)
	write("unknown.bin", []byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00>\x00\x01\x00\x00\x00\x90\xf1"))
	write("m-panic.hostile", []byte("progress check 1\npanic"))
	write("m-heap.hostile", []byte("heap 4096"))
	write("m-spin.hostile", []byte("spin"))
	return dir
}

func precheckRows(t *testing.T, got outcome) map[string]checkRow {
	t.Helper()
	var rows []checkRow
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil {
		t.Fatalf("%v\n%s\n%s", err, got.stdout, got.stderr)
	}
	byName := map[string]checkRow{}
	for _, r := range rows {
		byName[filepath.Base(r.Path)] = r
	}
	if len(byName) != len(rows) {
		t.Errorf("%d rows for %d files", len(rows), len(byName))
	}
	return byName
}

// TestPrecheck: every file gets its class, and a file that kills its process costs only itself.
func TestPrecheck(t *testing.T) {
	dir := precheckFolder(t)
	got := decant(t, dir, "", "precheck", "in", "missing.pdf", "--json", "--jobs", "2", "--memory", "256MiB", "--timeout", "10s")
	if got.code != fault.ExitSomeFailed {
		t.Errorf("exit code %d, want %d: %s", got.code, fault.ExitSomeFailed, got.stderr)
	}
	type answer struct {
		Format, Class string
		Pages         int
		Fault         fault.Kind
	}
	answers := map[string]answer{}
	for name, r := range precheckRows(t, got) {
		answers[name] = answer{r.Format, r.Class, r.Pages, r.Fault}
	}
	want := map[string]answer{
		"text.pdf": {"pdf", "text", 1, ""}, "scan.pdf": {"pdf", "scanned", 2, ""}, "mixed.pdf": {"pdf", "mixed", 2, ""},
		"blank.pdf": {"pdf", "empty", 1, ""}, "cut.pdf": {"pdf", "broken", 0, ""}, "locked.pdf": {"pdf", "encrypted", 0, ""},
		"bomb.pdf": {"pdf", "broken", 0, ""}, "notes.md": {"markdown", "other", 0, ""},
		"zero.txt": {"", "empty", 0, ""}, "unknown.bin": {"", "unsupported", 0, ""},
		"m-panic.hostile": {"", "failed", 0, fault.Crash}, "m-heap.hostile": {"", "failed", 0, fault.Memory},
		"m-spin.hostile": {"", "failed", 0, fault.Timeout}, "missing.pdf": {"", "failed", 0, fault.NotFound},
	}
	if diff := cmp.Diff(want, answers); diff != "" {
		t.Error(diff)
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("a precheck writes nothing, but there are %v", entries)
	}
}

// TestPrecheckTable: what people see, and the exit code when every file could be looked at.
func TestPrecheckTable(t *testing.T) {
	dir := precheckFolder(t)
	got := decant(t, dir, "", "precheck", "in/a", "in/locked.pdf", "--password", "eastmere")
	if got.code != fault.ExitOK {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	for _, want := range []string{"FILE", "CLASS", "in/a/mixed.pdf", "1 of 2 pages looked at have no text", "6 files: 2 text, 1 mixed, 1 scanned, 1 broken, 1 empty.", "2 files need OCR."} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the report lacks %q:\n%s", want, got.stdout)
		}
	}
	if !strings.Contains(got.stderr, "[6/6]") {
		t.Errorf("no progress: %s", got.stderr)
	}
}

// TestPrecheckOddNames: a name that is no UTF-8 hides no file.
func TestPrecheckOddNames(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b\xff.md"), []byte("# Title\n\nText"), 0o644); err != nil {
		t.Skip("this file system takes no such name: ", err)
	}
	if got := decant(t, dir, "", "precheck", "."); got.code != fault.ExitOK || !strings.Contains(got.stdout, "1 other") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestPrecheckUsage(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("a"), 0o644))
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"nothing named", nil, fault.ExitUsage, "name at least one file"},
		{"negative jobs", []string{"a.md", "--jobs", "-1"}, fault.ExitUsage, "--jobs"},
		{"no time", []string{"a.md", "--timeout", "0s"}, fault.ExitUsage, "--timeout"},
		{"a wrong size", []string{"a.md", "--memory", "lots"}, fault.ExitUsage, "--memory"},
		{"quiet", []string{"a.md", "--quiet"}, fault.ExitOK, "1 other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := decant(t, dir, "", append([]string{"precheck"}, tt.args...)...)
			if got.code != tt.code || !strings.Contains(got.stdout+got.stderr, tt.says) {
				t.Errorf("exit code %d, want %d and %q\n%s%s", got.code, tt.code, tt.says, got.stdout, got.stderr)
			}
		})
	}
}

// TestSharesOfPrecheck: every input is taken once, whatever the number of processes.
func TestSharesOfPrecheck(t *testing.T) {
	for _, n := range []int{0, 1, 31, 33, 1000} {
		for _, workers := range []int{1, 2, 7} {
			p := &precheck{inputs: make([]input, n)}
			at, shares := 0, 0
			for first, last := p.take(workers); first < last; first, last = p.take(workers) {
				if first != at || last-first > filesPerProcess {
					t.Fatalf("%d inputs, %d workers: share %d to %d after %d", n, workers, first, last, at)
				}
				at = last
				shares++
			}
			if at != n || shares > n/smallestShare+1 {
				t.Errorf("%d inputs, %d workers: %d taken in %d shares", n, workers, at, shares)
			}
		}
	}
}

// TestCheckRowSaysWhy: a failure is a row with its reason.
func TestCheckRowSaysWhy(t *testing.T) {
	row := checkRowOf("a.pdf", job.Limits{Timeout: time.Minute}, job.Result{}, fault.New(fault.Timeout, "", nil))
	if row.Class != failedCheck || row.remark() != "timeout" || !strings.Contains(row.line(), "failed (timeout)") {
		t.Errorf("%+v: %s; %s", row, row.remark(), row.line())
	}
}

// TestCheckWords: a precheck's advice names options and settings that it has, and speaks of no conversion.
func TestCheckWords(t *testing.T) {
	l := job.Limits{Input: 5 * job.MiB, Timeout: time.Minute, Memory: job.GiB}
	for kind, want := range map[fault.Kind]string{
		fault.TooLarge:    "limit of 5.0 MiB, and was not looked at. Raise the limit (DECANT_MAX_INPUT).",
		fault.Timeout:     "limit of 1m0s. Raise the limit (--timeout).",
		fault.NoProgress:  "limit of 1m0s. Raise the limit (--timeout).",
		fault.Memory:      "limit of 1.0 GiB. Raise the limit (--memory, DECANT_MEMORY).",
		fault.Interrupted: "It was not looked at: the command was interrupted.",
		fault.Crash:       "The check crashed on this document",
	} {
		got := checkWords(fault.New(kind, "", nil), l)
		if !strings.Contains(got, want) || strings.Contains(got, "onversion") || strings.Contains(got, "--max-size") || strings.Contains(got, "DECANT_TIMEOUT") {
			t.Errorf("%s: %s\nwant %s", kind, got, want)
		}
	}
}

// TestPrecheckLeavesOut: what is hidden is counted, also a folder of records where the command runs, as a precheck has no results.
func TestPrecheckLeavesOut(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, ".decant", "records"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Title\n"), 0o644))
	if got := decant(t, dir, "", "precheck", "."); got.code != fault.ExitOK || !strings.Contains(got.stderr, "Left out: 1 hidden") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}

// TestPrecheckCompletion: the shell offers the command, its options, and files.
func TestPrecheckCompletion(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"__complete", "prec"}, "precheck"},
		{[]string{"__complete", "precheck", "--"}, "--password"},
		{[]string{"__complete", "precheck", ""}, "ShellCompDirectiveDefault"},
	} {
		if got := decant(t, dir, "", tt.args...); !strings.Contains(got.stdout+got.stderr, tt.want) {
			t.Errorf("%v lacks %s: %s%s", tt.args, tt.want, got.stdout, got.stderr)
		}
	}
}
