package child_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/child/childtest"
	"decant/handler/internal/job"
)

// report adds the quantiles of a benchmark's runs to its line.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkAnswer measures from Convert to its return for a small document: a cold child with and without the sandbox, a warm
// spare, one process for many documents, and the same conversion in this process. The differences are what isolation costs.
func BenchmarkAnswer(b *testing.B) {
	for _, bench := range []struct {
		name   string
		mode   child.Sandbox
		spares int
	}{{"cold", child.SandboxAuto, 0}, {"cold-without-sandbox", child.SandboxOff, 0}, {"spare", child.SandboxAuto, 2}} {
		b.Run(bench.name, func(b *testing.B) {
			r := newRunner(b, child.Options{Sandbox: bench.mode, Memory: small.Memory})
			r.SetSpares(bench.spares)
			q := request(b, "progress parse 1\ntext hello", small)
			var took []time.Duration
			for b.Loop() {
				b.StopTimer()
				for r.Spares() < bench.spares {
					time.Sleep(time.Millisecond)
				}
				clearOut(b, q)
				b.StartTimer()
				started := time.Now()
				if _, _, err := r.Convert(b.Context(), q); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(started))
			}
			report(b, took)
		})
	}
	b.Run("in-process", func(b *testing.B) {
		q := request(b, "progress parse 1\ntext hello", small)
		program := childtest.Program()
		var took []time.Duration
		for b.Loop() {
			started := time.Now()
			if _, err := program.Convert(b.Context(), q); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(started))
		}
		report(b, took)
	})
	b.Run("batch-of-100", func(b *testing.B) {
		r := newRunner(b, child.Options{DocumentsPerProcess: 100})
		items := make([]child.Item, 100)
		for i := range items {
			items[i] = child.Item{Context: b.Context(), Request: request(b, "text hello", small)}
		}
		for b.Loop() {
			r.ConvertBatch(items, func(_ int, _ job.Result, _ job.Usage, err error) {
				if err != nil {
					b.Fatal(err)
				}
			})
		}
		b.ReportMetric(float64(b.N*len(items))/b.Elapsed().Seconds(), "docs/s")
	})
}

func clearOut(b *testing.B, q job.Request) {
	if err := os.Remove(filepath.Join(q.OutDir, job.MarkdownFile)); err != nil && !os.IsNotExist(err) {
		b.Fatal(err)
	}
}

// overshoots are the ways to allocate, and the cap that each is held against.
var overshoots = []struct {
	name, text string
	mode       child.Sandbox
}{
	{"heap", "heap 4096", child.SandboxAuto},
	{"small-objects", "small 4096", child.SandboxAuto},
	{"wasm-mmap", "wasm 4000", child.SandboxAuto},
	{"wasm-append", "wasm-append 4000", child.SandboxAuto},
	{"stack", "overflow", child.SandboxAuto},
	{"shared-memory", "shared 4096", child.SandboxAuto},
	{"grandchildren", "fork-heap 150\nfork-heap 150\nfork-heap 150\nfork-heap 150\nsilent 5s", child.SandboxOff},
}

// TestOvershoot: whatever allocates, the group is never more than 64 MiB over its cap.
func TestOvershoot(t *testing.T) {
	for _, o := range overshoots {
		t.Run(o.name, func(t *testing.T) {
			r := newRunner(t, child.Options{Sandbox: o.mode})
			_, usage, err := r.Convert(t.Context(), request(t, o.text, small))
			if err == nil || usage.PeakMemory > small.Memory+64*job.MiB {
				t.Errorf("peak %d MiB with a cap of %d, err %v", usage.PeakMemory/job.MiB, small.Memory/job.MiB, err)
			}
			t.Logf("cap %d MiB, peak %d MiB, death %s", small.Memory/job.MiB, usage.PeakMemory/job.MiB, usage.Death)
		})
	}
}

// BenchmarkOvershoot prints the highest peak over the cap of 256 MiB; negative means below.
func BenchmarkOvershoot(b *testing.B) {
	for _, o := range overshoots {
		b.Run(o.name, func(b *testing.B) {
			r := newRunner(b, child.Options{Sandbox: o.mode})
			most := int64(0)
			for b.Loop() {
				_, usage, _ := r.Convert(b.Context(), request(b, o.text, small))
				most = max(most, usage.PeakMemory)
			}
			b.ReportMetric(float64((most-small.Memory)/job.MiB), "MiB-over")
		})
	}
}
