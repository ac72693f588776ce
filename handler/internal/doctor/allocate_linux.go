package doctor

import (
	"fmt"
	"io"
	"syscall"
)

const rlimitData = 2 // RLIMIT_DATA: private writable memory, the same on every architecture of ours

// Allocate caps this process and takes four times the cap, page by page. It only returns where the cap does not hold.
func Allocate(out io.Writer) {
	limit := syscall.Rlimit{Cur: uint64(memoryProbe), Max: uint64(memoryProbe)}
	if err := syscall.Setrlimit(rlimitData, &limit); err != nil {
		fmt.Fprintln(out, "survived: the cap could not be set:", err)
		return
	}
	fmt.Fprintln(out, "capped")
	var kept [][]byte
	for taken := int64(0); taken < 4*memoryProbe; taken += 1 << 20 {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
	}
	fmt.Fprintln(out, "survived", len(kept))
}
