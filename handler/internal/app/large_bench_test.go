package app

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/convert"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
)

// writeLarge makes a file of a test's own from what write writes.
func writeLarge(tb testing.TB, file string, write func(w *bufio.Writer)) {
	tb.Helper()
	f, err := os.Create(file)
	must(tb, err)
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	must(tb, w.Flush())
	must(tb, f.Close())
}

// BenchmarkTable converts a table of 32 MB with the usual outputs in one process; the metrics are megabytes of the table a second, by
// the clock and by the processor's time, which other work on the machine does not change.
func BenchmarkTable(b *testing.B) {
	const size = 32_000_000
	file := filepath.Join(b.TempDir(), "orders.csv")
	writeLarge(b, file, func(w *bufio.Writer) { writeLargeTable(w, size) })
	converter := convert.New(all.Formats(all.Options{}), "bench")
	b.SetBytes(size)
	b.ReportAllocs()
	before := cpuTime(b)
	for b.Loop() {
		convertOnce(b, file, func(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
			q.Job.Limits.Output = 64 * job.GiB
			r, err := converter.Convert(ctx, q)
			return r, job.Usage{}, err
		})
	}
	b.ReportMetric(size*float64(b.N)/1e6/(cpuTime(b)-before).Seconds(), "MB/cpu-s")
}

// BenchmarkLargeDocuments converts the largest documents of their kinds with the command, from file to results, chunks and ledger. The
// metrics are the peaks of the child that converts and of the command beside it. The table has 50 MB, with -large a gigabyte.
func BenchmarkLargeDocuments(b *testing.B) {
	megabytes := 50
	if *large {
		megabytes = *largeCSV
	}
	for _, d := range largeDocuments(megabytes) {
		b.Run(d.name, func(b *testing.B) {
			dir := b.TempDir()
			file := filepath.Join(dir, d.name)
			writeLarge(b, file, d.write)
			info, err := os.Stat(file)
			must(b, err)
			b.SetBytes(info.Size())
			var child, command int64
			for b.Loop() {
				must(b, os.RemoveAll(filepath.Join(dir, "out")))
				r, peak := convertLarge(b, dir, d.name)
				d.check(b, r)
				child, command = max(child, r.PeakMemory), max(command, peak)
			}
			b.ReportMetric(float64(child)/float64(job.MiB), "MiB-child")
			b.ReportMetric(float64(command)/float64(job.MiB), "MiB-command")
		})
	}
}

// cpuTime is what this process has used.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
