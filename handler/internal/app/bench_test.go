package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/convert"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
	"decant/handler/internal/pdfium"
)

// benchCache is the compiled PDF engine, made before the clock runs.
func benchCache(b testing.TB) string {
	b.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	cache := filepath.Join(dir, "decant")
	if err := pdfium.Warm(b.Context(), cache); err != nil {
		b.Fatal(err)
	}
	return cache
}

// BenchmarkChild is one document in one child of the built binary, from the call to the answer; the metric is the median.
func BenchmarkChild(b *testing.B) {
	binary, err := filepath.Abs(repository + "dist/" + binaryName)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		b.Skip("dist/decant is not built: make bench builds it")
	}
	warmed, err := exec.CommandContext(b.Context(), binary, "warmup").Output() // the binary's own cache: it goes by the version of the build
	if err != nil {
		b.Fatal(err)
	}
	cache := strings.TrimSpace(string(warmed))
	runner := child.New(child.Options{
		Command: []string{binary, "child"}, ReadOnly: []string{cache}, Settings: childSettings{PDFCache: cache, Memory: job.GiB},
	})
	for _, doc := range []struct{ name, file string }{
		{"markdown-1KB", "samples/field-notes.md"}, {"pdf-1-page", "tests/corpus/pdf/headings-lists-code.pdf"},
	} {
		b.Run(doc.name, func(b *testing.B) {
			var times []time.Duration
			var cpu time.Duration // of the children: unlike the clock, it says nearly the same on a busy machine
			measured := func(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
				r, u, err := runner.Convert(ctx, q)
				cpu += u.CPU
				return r, u, err
			}
			for b.Loop() {
				began := time.Now()
				convertOnce(b, repository+doc.file, measured)
				times = append(times, time.Since(began))
			}
			b.ReportMetric(cpu.Seconds()*1000/float64(len(times)), "cpu-ms")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "ms-p95")
		})
	}
}

// BenchmarkPDFPages converts the typeset pages of the shared data in one process; the metric is pages a second.
func BenchmarkPDFPages(b *testing.B) {
	files, err := filepath.Glob(repository + "../shared/data/pdf-typeset/*/*.pdf")
	if err != nil || len(files) == 0 {
		b.Skip("../shared/data/pdf-typeset is not here")
	}
	converter := convert.New(all.Formats(all.Options{PDFCache: benchCache(b)}), "bench")
	pages := 0
	for b.Loop() {
		for _, f := range files {
			pages += convertOnce(b, f, func(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
				r, err := converter.Convert(ctx, q)
				return r, job.Usage{}, err
			}).Counts.Pages
		}
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}

func convertOnce(b *testing.B, file string, convert func(context.Context, job.Request) (job.Result, job.Usage, error)) job.Result {
	b.Helper()
	out, err := os.MkdirTemp("", "bench-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(out)
	source := job.Source{Path: filepath.Base(file), Size: -1}
	result, _, err := convert(b.Context(), job.Request{
		Job: job.Job{ID: source.ID(), Source: source, Limits: job.Limits{}.Normalize()}, Input: file, OutDir: out,
	})
	if err != nil {
		b.Fatal(err)
	}
	return result
}
