package pool_test

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
	"decant/handler/internal/pool"
)

// processorTime is what this process and its collected children have used: unlike the clock, it says the same on a busy machine.
func processorTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

// BenchmarkThroughput converts 2,000 small documents with 1, 2 and 4 conversions at once, each in a process of its own,
// and once with twenty documents to a process.
func BenchmarkThroughput(b *testing.B) {
	const documents = 2000
	for _, bench := range []struct{ slots, perProcess int }{{1, 1}, {2, 1}, {4, 1}, {2, 20}} {
		b.Run(fmt.Sprintf("jobs=%d/per-process=%d", bench.slots, bench.perProcess), func(b *testing.B) {
			r := newRunner(b, child.Options{DocumentsPerProcess: bench.perProcess, Memory: small.Memory})
			p := pool.New(pool.Options{
				Machine: pool.Machine{Cores: bench.slots, Memory: 16 * job.GiB}, Waiting: documents, Cap: small.Memory,
				DocumentsPerProcess: bench.perProcess, SparesMax: -1,
			}, r)
			requests := make([]job.Request, documents)
			for i := range requests {
				requests[i] = instructions(b, "progress parse 1\ntext hello", small)
			}
			before := processorTime()
			for b.Loop() {
				var all sync.WaitGroup
				for _, q := range requests {
					all.Go(func() {
						if _, _, err := p.Convert(b.Context(), q); err != nil {
							b.Error(err)
						}
					})
				}
				all.Wait()
			}
			b.ReportMetric(float64(b.N*documents)/b.Elapsed().Seconds(), "docs/s")
			b.ReportMetric((processorTime()-before).Seconds()*1000/float64(b.N*documents), "cpu-ms/doc")
			_ = p.Close()
		})
	}
}
