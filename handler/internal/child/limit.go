package child

import (
	"os"
	"runtime"
	"runtime/debug"

	"decant/handler/internal/job"
)

const (
	// baseMemory is what a Go process takes from RLIMIT_DATA before it does anything: 40 MiB, 32 of them static data of
	// crypto/internal/fips140, and a little for threads.
	baseMemory = 48 * job.MiB
	// maxStack bounds one goroutine's stack; the default of 1 GB would be met by the cap first, as lack of memory.
	maxStack = 64 * job.MiB
	// maxFiles is RLIMIT_NOFILE.
	maxFiles = 256
	// maxForeignFiles is RLIMIT_NOFILE where programs run that are not ours: LibreOffice alone opens a hundred libraries and fonts.
	maxForeignFiles = 1024
)

// tuneRuntime makes the garbage collector work harder before the wall: without it a heap of 90 MiB that churns dies under a
// cap of 256, as the collector lets it double; with it the heap stays under 170. One processor is enough until it is known what
// document comes (useProcessors).
func tuneRuntime(memory int64) {
	runtime.GOMAXPROCS(1) // first: each of the others stops and starts all processors
	debug.SetMemoryLimit((memory - baseMemory) * 85 / 100)
	debug.SetMaxStack(int(min(maxStack, memory/8)))
	debug.SetGCPercent(smallPercent)
}

// smallInput is the size, in bytes, up to which a document is done before a second processor could help: to wake it, to look for
// work on it and to stop it for each collection costs more.
const smallInput = 16 << 10

// useProcessors takes the processors that a document is worth.
func useProcessors(input string) {
	if info, err := os.Stat(input); err != nil || info.Size() > smallInput {
		runtime.SetDefaultGOMAXPROCS()
	}
}
