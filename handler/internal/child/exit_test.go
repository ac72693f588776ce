package child

import (
	"context"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// TestExitTable has one example for each row of the exit table, and fails for a row without one.
func TestExitTable(t *testing.T) {
	const cap = 256 * job.MiB
	ok, refused := &answer{Result: &job.Result{}}, &answer{Fault: &wireFault{Kind: fault.Encrypted, Message: "locked"}}
	examples := map[string]struct {
		ending ending
		kind   fault.Kind
	}{
		"answered":                       {ending{answer: ok}, ""},
		"answered with a fault":          {ending{answer: refused, exit: exitRefused}, fault.Encrypted},
		"context ended":                  {ending{killed: killContext, cause: context.Canceled, exit: -1, signal: "SIGKILL"}, fault.Interrupted},
		"over its time":                  {ending{killed: killDeadline, exit: -1, signal: "SIGKILL"}, fault.Timeout},
		"silent for too long":            {ending{killed: killNoProgress, exit: -1, signal: "SIGKILL"}, fault.NoProgress},
		"resident set over the cap":      {ending{killed: killMemory, exit: -1, signal: "SIGKILL"}, fault.Memory},
		"result files over the limit":    {ending{killed: killOutput, exit: -1, signal: "SIGKILL"}, fault.LimitOutput},
		"standard output over the limit": {ending{killed: killChatter, exit: -1, signal: "SIGKILL"}, fault.LimitOutput},
		"temporary files over the limit": {ending{killed: killDisk, exit: -1, signal: "SIGKILL"}, fault.LimitDisk},
		"answer makes no sense":          {ending{killed: killProtocol, answer: ok, detail: "a second answer"}, fault.Crash},
		"processor time used up":         {ending{exit: -1, signal: "SIGKILL", cpu: 3 * time.Second, maxCPU: 2 * time.Second, peak: cap}, fault.Timeout},
		"runtime out of memory":          {ending{exit: 2, stderr: "fatal error: runtime: out of memory\n\nruntime stack:"}, fault.Memory},
		"fault near the cap":             {ending{exit: 2, stderr: "SIGSEGV: segmentation violation\nPC=0x1", peak: cap - 40*job.MiB, cap: cap}, fault.Memory},
		"SIGKILL near the cap":           {ending{exit: -1, signal: "SIGKILL", peak: cap - 8*job.MiB, cap: cap}, fault.Memory},
		"SIGKILL from elsewhere":         {ending{exit: -1, signal: "SIGKILL", peak: cap / 4, cap: cap}, fault.Interrupted},
		"lifeline cut":                   {ending{exit: exitOrphaned}, fault.Interrupted},
		"sandbox missing":                {ending{exit: exitSandbox}, fault.Sandbox},
		"stack overflow":                 {ending{exit: 2, stderr: "runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow"}, fault.Crash},
		"panic":                          {ending{exit: 2, stderr: "panic: runtime error: index out of range [7] with length 3"}, fault.Crash},
		"any other signal":               {ending{exit: -1, signal: "SIGSEGV", peak: cap / 8, cap: cap}, fault.Crash},
		"exit without an answer":         {ending{exit: 0}, fault.Crash},
	}
	for _, r := range exitTable {
		example, there := examples[r.name]
		if !there {
			t.Errorf("the row %q has no example", r.name)
			continue
		}
		got, err := classify(example.ending)
		if got.name != r.name || fault.KindOf(errorOf(err)) != example.kind {
			t.Errorf("%s: row %q, error %v, want kind %q", r.name, got.name, err, example.kind)
		}
		if err != nil && err.Message == "" {
			t.Errorf("%s: no words for people", r.name)
		}
	}
}

// errorOf keeps a nil *fault.Error from becoming an error that is not nil.
func errorOf(f *fault.Error) error {
	if f == nil {
		return nil
	}
	return f
}

// TestMemoryTexts: each text that the runtime was seen to write at the wall counts as lack of memory, not as a crash.
func TestMemoryTexts(t *testing.T) {
	for _, text := range []string{
		"fatal error: runtime: out of memory", "fatal error: runtime: cannot allocate memory",
		"fatal error: out of memory allocating heap arena metadata", "runtime: cannot allocate memory\nfatal error: out of memory",
	} {
		if r, _ := classify(ending{exit: 2, stderr: text}); r.death != DeathMemory {
			t.Errorf("%q counts as %s", text, r.death)
		}
	}
}
