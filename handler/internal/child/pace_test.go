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

// TestPaceFollowsWhatIsAlive: a large heap keeps little garbage, a small one is left alone, also after a large one.
func TestPaceFollowsWhatIsAlive(t *testing.T) {
	defer debug.SetGCPercent(percentNow())
	var p pace
	runtime.GC()
	p.keep()
	if n := percentNow(); n != usualPercent {
		t.Errorf("a small heap has %d %%", n)
	}
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
	if n := percentNow(); n != usualPercent {
		t.Errorf("after a large heap there are %d %%", n)
	}
}
