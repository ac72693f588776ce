package app

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/child/childtest"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// hostileSuffix ends the names of documents that the child of this test binary does not convert but obeys.
const hostileSuffix = ".hostile"

// hostileProgram is the product's child with a converter that does what hostile documents say. It exists in the test binary only.
func hostileProgram() child.Program {
	real, mock := childProgram(), childtest.Program()
	return child.Program{
		Configure: func(settings json.RawMessage) error {
			return errors.Join(real.Configure(settings), mock.Configure(settings))
		},
		Convert: func(ctx context.Context, q job.Request) (job.Result, error) {
			if strings.HasSuffix(q.Job.Source.Path, hostileSuffix) {
				return mock.Convert(ctx, q)
			}
			return real.Convert(ctx, q)
		},
		Warm: real.Warm,
	}
}

// hostility is one way in which a document is bad, and the one right way for it to end.
type hostility struct {
	name, text string
	limits     job.Limits
	kind       fault.Kind
	heavy      bool // has the machine for itself for seconds
}

var hostilities = []hostility{
	{name: "panic", text: "progress parse 3\npanic", kind: fault.Crash},
	{name: "stack overflow", text: "overflow", kind: fault.Crash},
	{name: "exit", text: "exit 3", kind: fault.Crash},
	{name: "exit well, without an answer", text: "exit 0", kind: fault.Crash},
	{name: "segmentation fault", text: "kill SIGSEGV", kind: fault.Crash},
	{name: "rubbish", text: "rubbish", kind: fault.Crash},
	{name: "answers twice", text: "twice", kind: fault.Crash},
	{name: "names a foreign file", text: "forge ../input", kind: fault.Crash},
	{name: "heap", text: "heap 4096", kind: fault.Memory, heavy: true},
	{name: "small objects", text: "small 4096", kind: fault.Memory, heavy: true},
	{name: "wasm", text: "wasm 4000", kind: fault.Memory, heavy: true},
	{name: "spins", text: "progress parse 1\nspin", limits: job.Limits{Timeout: time.Second}, kind: fault.Timeout},
	{name: "silent", text: "silent 1h", limits: job.Limits{NoProgress: time.Second}, kind: fault.NoProgress},
	{name: "chatter", text: "stdout 1073741824", kind: fault.LimitOutput},
	{name: "fills the disk", text: "fill 4096", limits: job.Limits{Disk: 32 * job.MiB}, kind: fault.LimitDisk},
	{name: "huge result", text: "output 512", limits: job.Limits{Output: 16 * job.MiB}, kind: fault.LimitOutput},
	{name: "corrupt", text: "fault corrupt", kind: fault.Corrupt},
	{name: "encrypted", text: "fault encrypted", kind: fault.Encrypted},
}
