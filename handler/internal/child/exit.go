package child

import (
	"fmt"
	"strings"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Exit codes of the child. Go itself uses 2 for panics, stack overflow and lack of memory.
const (
	exitOK       = 0  // every document answered
	exitRefused  = 70 // the last answer was a fault
	exitOrphaned = 71 // standard input ended during work: the parent is gone
	exitSandbox  = 72 // a lock that Sandbox "require" asks for is missing
	exitProtocol = 73 // a frame could not be read or written
)

// reason is why the parent killed the group; empty when it did not.
type reason string

const (
	killContext    reason = "context"     // cancelled, expired or drained: the context's cause says which
	killDeadline   reason = "deadline"    // Limits.Timeout
	killNoProgress reason = "no-progress" // Limits.NoProgress
	killMemory     reason = "memory"      // the group's resident set is over Limits.Memory
	killOutput     reason = "output"      // result files over Limits.Output
	killDisk       reason = "disk"        // temporary files over Limits.Disk
	killChatter    reason = "chatter"     // too much on standard output or error
	killProtocol   reason = "protocol"    // frames that make no sense
)

// Deaths: how a conversion ended, the names of the exit table's rows that a record shows (job.Usage.Death).
const (
	DeathOK          = "ok"
	DeathRefused     = "refused"
	DeathMemory      = "memory"
	DeathTimeout     = "timeout"
	DeathNoProgress  = "no-progress"
	DeathCrash       = "crash"
	DeathByHost      = "killed-by-host"
	DeathOutputLimit = "output-limit"
	DeathDiskLimit   = "disk-limit"
	DeathCancelled   = "cancelled"
	DeathSandbox     = "sandbox"
)

// ending is everything that the parent knows when a document is over.
type ending struct {
	killed reason
	cause  error // with killContext: the context's cause
	answer *answer

	exit   int    // exit code, -1 when a signal ended it
	signal string // "SIGKILL", "SIGSEGV", ... or empty
	stderr string // its beginning
	peak   int64  // bytes
	cap    int64  // bytes
	cpu    time.Duration
	maxCPU time.Duration // RLIMIT_CPU, 0 when unknown
	detail string        // what was wrong with a frame, how large the output was
}

// row is one line of the exit table.
type row struct {
	name  string // what would be seen
	death string
	match func(ending) bool
	kind  fault.Kind // "" for success; "*" for the fault in the answer or the context
	words string     // the sentence for people; empty for the kind's own; %s is the evidence
}

// exitTable tells deaths apart: the first row that matches counts. It is the only place that does so.
// The texts of the Go runtime were measured with Go 1.26 (docs/decisions/memory-limit.md).
var exitTable = []row{
	{"answered", DeathOK, func(e ending) bool { return e.killed == "" && e.answer != nil && e.answer.Fault == nil }, "", ""},
	{"answered with a fault", DeathRefused, func(e ending) bool { return e.killed == "" && e.answer != nil }, "*", ""},

	{"context ended", DeathCancelled, killedFor(killContext), "*", ""},
	{"over its time", DeathTimeout, killedFor(killDeadline), fault.Timeout, ""},
	{"silent for too long", DeathNoProgress, killedFor(killNoProgress), fault.NoProgress, ""},
	{"resident set over the cap", DeathMemory, killedFor(killMemory), fault.Memory, ""},
	{"result files over the limit", DeathOutputLimit, killedFor(killOutput), fault.LimitOutput, ""},
	{"standard output over the limit", DeathOutputLimit, killedFor(killChatter), fault.LimitOutput, ""},
	{"temporary files over the limit", DeathDiskLimit, killedFor(killDisk), fault.LimitDisk, ""},
	{"answer makes no sense", DeathCrash, killedFor(killProtocol), fault.Crash, "The conversion gave an answer that makes no sense (%s) and was ended; nothing else was affected. Report the file."},

	{"processor time used up", DeathTimeout, usedUpCPU, fault.Timeout, ""},
	{"runtime out of memory", DeathMemory, outOfMemory, fault.Memory, ""},
	{"fault near the cap", DeathMemory, func(e ending) bool { return segfault(e) && nearCap(e) }, fault.Memory, ""},
	{"SIGKILL near the cap", DeathMemory, func(e ending) bool { return e.signal == "SIGKILL" && nearCap(e) }, fault.Memory, ""},
	{"SIGKILL from elsewhere", DeathByHost, func(e ending) bool { return e.signal == "SIGKILL" }, fault.Interrupted, "The conversion was killed by the system, not by its own limits, and will be done again."},
	{"lifeline cut", DeathByHost, func(e ending) bool { return e.exit == exitOrphaned }, fault.Interrupted, ""},
	{"sandbox missing", DeathSandbox, func(e ending) bool { return e.exit == exitSandbox }, fault.Sandbox, ""},

	{"stack overflow", DeathCrash, stderrHas("stack exceeds"), fault.Crash, "The conversion crashed on this document (%s): it is nested too deeply. Nothing else was affected. Save it again in the program that made it, or report the file."},
	{"panic", DeathCrash, stderrHas("panic:", "fatal error:"), fault.Crash, crashWords},
	{"any other signal", DeathCrash, func(e ending) bool { return e.signal != "" }, fault.Crash, crashWords},
	{"exit without an answer", DeathCrash, func(ending) bool { return true }, fault.Crash, crashWords},
}

const crashWords = "The conversion crashed on this document (%s); nothing else was affected. Save the document again in the program that made it, or report the file."

// classify finds the row of an ending and the error that follows from it; nil for success.
func classify(e ending) (row, *fault.Error) {
	for _, r := range exitTable {
		if r.match(e) {
			return r, r.fault(e)
		}
	}
	panic("child: internal error: the exit table has no last row")
}

func (r row) fault(e ending) *fault.Error {
	switch {
	case r.kind == "":
		return nil
	case r.kind == "*" && e.killed == killContext:
		return fault.From(e.cause)
	case r.kind == "*":
		return e.answer.Fault.fault()
	case strings.Contains(r.words, "%s"):
		return fault.New(r.kind, fmt.Sprintf(r.words, e.evidence()), e.forLog())
	}
	return fault.New(r.kind, r.words, e.forLog())
}

// evidence is a few words for people: the first line of a panic, the signal or the exit code.
func (e ending) evidence() string {
	if e.killed == killProtocol {
		return e.detail
	}
	for line := range strings.Lines(e.stderr) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "runtime: goroutine stack exceeds") {
			return shorten(line, 160)
		}
	}
	if e.signal != "" {
		return e.signal
	}
	return fmt.Sprintf("exit code %d without an answer", e.exit)
}

// forLog is the cause: what was seen, for the log.
func (e ending) forLog() error {
	return fmt.Errorf("child ended: killed for %q, exit %d, signal %q, peak %d MiB of %d MiB, %s",
		e.killed, e.exit, e.signal, e.peak/job.MiB, e.cap/job.MiB, e.detail)
}

func shorten(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}

func killedFor(r reason) func(ending) bool {
	return func(e ending) bool { return e.killed == r }
}

func stderrHas(texts ...string) func(ending) bool {
	return func(e ending) bool {
		for _, text := range texts {
			if strings.Contains(e.stderr, text) {
				return true
			}
		}
		return false
	}
}

// memoryTexts are what a Go process writes when RLIMIT_DATA refuses it memory; it exits with 2 in each case.
var memoryTexts = stderrHas(
	"runtime: out of memory",
	"runtime: cannot allocate memory",
	"out of memory allocating heap arena metadata",
	"fatal error: out of memory",
	"cannot allocate memory",
	"failed to create new OS thread",
)

func outOfMemory(e ending) bool { return e.exit == 2 && memoryTexts(e) }

// segfault is how the runtime sometimes dies at the wall of RLIMIT_DATA.
func segfault(e ending) bool {
	return e.signal == "SIGSEGV" || e.signal == "SIGBUS" || e.exit == 2 && strings.Contains(e.stderr, "SIGSEGV: segmentation violation")
}

// nearCap is within an eighth of the cap, or within 96 MiB of a cap that is large enough for that to mean something:
// the runtime dies at 170 to 190 of 256 MiB, when the next doubling does not fit.
func nearCap(e ending) bool {
	return e.cap > 0 && (e.peak >= e.cap*7/8 || e.cap >= 256*job.MiB && e.peak+96*job.MiB >= e.cap)
}

func usedUpCPU(e ending) bool {
	return e.signal == "SIGXCPU" || e.signal == "SIGKILL" && e.maxCPU > 0 && e.cpu >= e.maxCPU
}
