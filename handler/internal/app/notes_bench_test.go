package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkNotes is `decant convert` of the built binary on 200 notes of 1 KB, with the ledger, results and everything: documents a
// second, and processor time a document, which says the same on a busy machine.
func BenchmarkNotes(b *testing.B) {
	binary, err := filepath.Abs(repository + "dist/" + binaryName)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		b.Skip("dist/decant is not built: make bench builds it")
	}
	const notes = 200
	dir := b.TempDir()
	for i := range notes {
		text := fmt.Sprintf("# Field note %d\n\n%s\n\n- dry\n- calm\n\n%s\n", i, strings.Repeat("The gauge was read at noon. ", 16), strings.Repeat("Wind from the north. ", 20))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("note-%03d.md", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, bench := range []struct{ jobs, perProcess int }{{1, 1}, {2, 1}, {4, 1}, {2, 20}} {
		b.Run(fmt.Sprintf("jobs=%d/per-process=%d", bench.jobs, bench.perProcess), func(b *testing.B) {
			var cpu float64
			for b.Loop() {
				cmd := exec.CommandContext(b.Context(), binary, "convert", dir, "-q", "-j", fmt.Sprint(bench.jobs), "-o", filepath.Join(b.TempDir(), "out"))
				cmd.Env = append(os.Environ(), fmt.Sprintf("DECANT_DOCUMENTS_PER_PROCESS=%d", bench.perProcess))
				if text, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, text)
				}
				cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			}
			b.ReportMetric(float64(b.N*notes)/b.Elapsed().Seconds(), "docs/s")
			b.ReportMetric(cpu*1000/float64(b.N*notes), "cpu-ms/doc")
		})
	}
}
