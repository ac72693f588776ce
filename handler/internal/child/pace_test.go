package child

import (
	"runtime"
	"runtime/debug"
	"testing"

	"decant/handler/internal/job"
)

// percentNow is the collector's percentage, which can only be read by setting it.
func percentNow() int {
	n := debug.SetGCPercent(usualPercent)
	debug.SetGCPercent(n)
	return n
}

// TestPaceFollowsWhatIsAlive: a large heap keeps little garbage, and a process that comes down from one is left alone again.
func TestPaceFollowsWhatIsAlive(t *testing.T) {
	defer debug.SetGCPercent(percentNow())
	var p pace
	func() {
		alive := make([]byte, denseHeap+8*job.MiB)
		runtime.GC()
		p.keep()
		if n := percentNow(); n != densePercent {
			t.Errorf("a large heap has %d %%", n)
		}
		runtime.KeepAlive(alive)
	}()
	runtime.GC()
	p.keep()
	if n := percentNow(); n != usualPercent && n != smallPercent {
		t.Errorf("after a large heap there are %d %%", n)
	}
}

// TestPercent: the more is alive, the less garbage is kept beside it.
func TestPercent(t *testing.T) {
	for alive, want := range map[int64]int{
		0: smallPercent, smallHeap - 1: smallPercent, smallHeap: usualPercent, denseHeap: usualPercent, denseHeap + 1: densePercent, job.GiB: densePercent,
	} {
		if got := percentFor(uint64(alive)); got != want {
			t.Errorf("%d bytes alive have %d %%, want %d", alive, got, want)
		}
	}
}
