package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/job"
)

var (
	large    = flag.Bool("large", false, "convert a 2,000-page docx, a 50 MB page, a workbook of a million cells and a table of a gigabyte whole, and print what they cost")
	largeCSV = flag.Int("large-csv", 1000, "megabytes of the large table")
)

// largeDocument is one of the largest documents of its kind.
type largeDocument struct {
	name   string
	write  func(w *bufio.Writer)
	tables int // at least
}

// largeDocuments are those of the tests and the benchmarks, the table with the given size in megabytes.
func largeDocuments(megabytes int) []largeDocument {
	return []largeDocument{
		{"2000-pages.docx", writeLargeDocx, 2000},
		{"50-megabytes.html", writeLargePage, 100_000},
		{"million-cells.xlsx", writeLargeWorkbook, 20},
		{fmt.Sprintf("%d-megabytes.csv", megabytes), func(w *bufio.Writer) { writeLargeTable(w, megabytes*1_000_000) }, megabytes},
	}
}

// maxHandler is how much memory the command may need beside the child that converts, whatever the size of the document, in bytes.
const maxHandler = 160 * job.MiB

// TestLargeDocuments converts documents of the largest sizes with the command and its usual settings, but for the time that a busy
// machine needs, each in a real child with the default cap of 1 GiB, and holds that they keep their structure and that the command
// itself stays small. With -v it prints seconds and peak memory.
//
//	go test ./handler/internal/app -run TestLargeDocuments -large -v -timeout 3h
func TestLargeDocuments(t *testing.T) {
	if !*large {
		t.Skip("needs -large: minutes of work and gigabytes of disk")
	}
	for _, d := range largeDocuments(*largeCSV) {
		t.Run(d.name, func(t *testing.T) {
			dir := t.TempDir()
			writeLarge(t, filepath.Join(dir, d.name), d.write)
			r, peak := convertLarge(t, dir, d.name)
			t.Logf("%s: %.0f s, %d MiB in the child, %d MiB in the command, %d blocks, %d tables, %d chunks, %s %s",
				d.name, r.Seconds, r.PeakMemory>>20, peak>>20, r.Counts.Blocks, r.Counts.Tables, r.Counts.Chunks, r.Fault, r.Message)
			d.check(t, r)
			if peak > maxHandler {
				t.Errorf("the command needed %d MiB, want at most %d", peak>>20, maxHandler>>20)
			}
		})
	}
}

func (d largeDocument) check(tb testing.TB, r row) {
	tb.Helper()
	simplified := slices.ContainsFunc(r.Warnings, func(w job.Warning) bool { return w.Class == "structure_simplified" })
	if r.Status != "converted" || r.Counts.Tables < d.tables || simplified {
		tb.Fatalf("%s with %d tables, want at least %d; %v %s", r.Status, r.Counts.Tables, d.tables, r.Warnings, r.Message)
	}
}

// convertLarge runs the command on a file in dir. It gives the report's row and the peak of the command's own resident set in bytes,
// 0 where the system does not tell.
func convertLarge(tb testing.TB, dir, name string) (row, int64) {
	tb.Helper()
	exe, err := os.Executable()
	must(tb, err)
	c := exec.CommandContext(tb.Context(), exe, "convert", name, "--json", "--timeout", "3h")
	c.Dir = dir
	c.Env = append(os.Environ(), "DECANT_TEST_COMMAND=1", "DECANT_STORAGE=", "DECANT_HOME="+filepath.Join(dir, "home"))
	var out, messages bytes.Buffer
	c.Stdout, c.Stderr = &out, &messages
	must(tb, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var peak int64
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		select {
		case err = <-ended:
			tick.Stop()
			var rows []row
			if err != nil || json.Unmarshal(out.Bytes(), &rows) != nil || len(rows) != 1 {
				tb.Fatalf("%v: %s%s", err, out.Bytes(), messages.Bytes())
			}
			return rows[0], peak
		case <-tick.C:
			peak = max(peak, highWater(c.Process.Pid))
		}
	}
}

// highWater is the most that a process has had in memory so far, in bytes; 0 when it cannot be told.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	var kilobytes int64
	if _, rest, found := strings.Cut(string(status), "VmHWM:"); found {
		_, _ = fmt.Sscan(rest, &kilobytes) // not there: 0
	}
	return kilobytes << 10
}
