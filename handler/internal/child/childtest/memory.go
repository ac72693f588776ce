package childtest

import (
	"context"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"

	"decant/handler/internal/fault"
)

// heap allocates and touches 1 MiB at a time.
func heap(mebibytes int) (kept [][]byte) {
	for range mebibytes {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		kept = append(kept, b)
	}
	return kept
}

type node struct {
	next *node
	fill [104]byte
}

func small(mebibytes int) error {
	var head *node
	for range mebibytes << 20 / 112 {
		head = &node{next: head}
	}
	runtime.KeepAlive(head)
	return nil
}

// shared maps shared memory, which RLIMIT_DATA does not count.
func shared(mebibytes int) error {
	for range mebibytes {
		b, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANON)
		if err != nil {
			return err
		}
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
	}
	return nil
}

func churn(mebibytes int) error {
	kept := heap(mebibytes)
	var garbage *node
	for range 10_000_000 {
		garbage = &node{}
	}
	runtime.KeepAlive(garbage)
	runtime.KeepAlive(kept)
	return nil
}

// growModule is (module (memory (export) 1 65536) (func (export "grow") (param i32) (result i32) local.get 0 memory.grow)).
var growModule = []byte{
	0, 'a', 's', 'm', 1, 0, 0, 0,
	1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f,
	3, 2, 1, 0,
	5, 6, 1, 1, 1, 0x80, 0x80, 4,
	7, 8, 1, 4, 'g', 'r', 'o', 'w', 0, 0,
	10, 8, 1, 6, 0, 0x20, 0, 0x40, 0, 0x0b,
}

// growWasm grows a wasm memory 1 MiB at a time. With the mmap allocator the guest is refused cleanly at the cap.
func growWasm(mebibytes int, mmap bool) error {
	ctx := context.Background()
	if mmap {
		ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(reserve))
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer runtime.Close(ctx)
	module, err := runtime.Instantiate(ctx, growModule)
	if err != nil {
		return err
	}
	grow := module.ExportedFunction("grow")
	for i := range mebibytes {
		before, err := grow.Call(ctx, 16)
		if err != nil {
			return err
		}
		if int32(before[0]) == -1 {
			return fault.New(fault.Memory, "", fmt.Errorf("wasm memory refused at %d MiB", i))
		}
		view, _ := module.Memory().Read(uint32(before[0])<<16, 1<<20)
		for at := 0; at < len(view); at += 4096 {
			view[at] = 1
		}
	}
	return nil
}

// reserved is a linear memory whose address space is taken at once without rights, which RLIMIT_DATA does not count,
// and which gets its rights as it grows, which it does.
type reserved struct {
	all  []byte
	used uint64
}

func reserve(_, limit uint64) experimental.LinearMemory {
	all, err := unix.Mmap(-1, 0, int(limit), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return &reserved{}
	}
	return &reserved{all: all}
}

func (r *reserved) Reallocate(size uint64) []byte {
	if size > uint64(len(r.all)) {
		return nil
	}
	if size > r.used {
		if unix.Mprotect(r.all[:size], unix.PROT_READ|unix.PROT_WRITE) != nil {
			return nil
		}
		r.used = size
	}
	return r.all[:size:len(r.all)]
}

func (r *reserved) Free() {
	if r.all != nil {
		_ = unix.Munmap(r.all)
	}
}
