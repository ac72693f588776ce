package child

import (
	"runtime/debug"
	"runtime/metrics"

	"decant/handler/internal/job"
)

// The collector lets the heap grow by so many percent of what is alive before it runs. 100, the default, is fast while little is
// alive; from denseHeap on it would keep as much garbage as content, and memory is what children are sized by.
const (
	usualPercent = 100
	densePercent = 35
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
		p.percent = usualPercent
		debug.SetGCPercent(usualPercent)
	}
	metrics.Read(p.sample)
	want := usualPercent
	if p.sample[0].Value.Kind() == metrics.KindUint64 && p.sample[0].Value.Uint64() > uint64(denseHeap) {
		want = densePercent
	}
	if want != p.percent {
		p.percent = want
		debug.SetGCPercent(want)
	}
}
