package child

import (
	"runtime/debug"
	"runtime/metrics"

	"decant/handler/internal/job"
)

// The collector lets the heap grow by so many percent of what is alive before it runs. While next to nothing is alive it is not worth
// running: a small document is done before its 16 MiB are full. 100, the default, is fast while little is alive; from denseHeap on it
// would keep as much garbage as content, and memory is what children are sized by.
const (
	smallPercent = 400
	usualPercent = 100
	densePercent = 35
	smallHeap    = 4 * job.MiB
	denseHeap    = 24 * job.MiB
)

// pace keeps the collector's percentage by what the last collection found alive.
type pace struct {
	sample  []metrics.Sample
	percent int
}

// keep is called with each sign of life: it costs a microsecond, and more only when the percentage changes.
func (p *pace) keep() {
	if p.sample == nil {
		p.sample = []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		p.percent = smallPercent // tuneRuntime
	}
	metrics.Read(p.sample)
	want := usualPercent
	if p.sample[0].Value.Kind() == metrics.KindUint64 {
		want = percentFor(p.sample[0].Value.Uint64())
	}
	if want != p.percent {
		p.percent = want
		debug.SetGCPercent(want)
	}
}

// percentFor is the percentage for so many bytes alive.
func percentFor(alive uint64) int {
	switch {
	case alive > uint64(denseHeap):
		return densePercent
	case alive < uint64(smallHeap):
		return smallPercent
	}
	return usualPercent
}
