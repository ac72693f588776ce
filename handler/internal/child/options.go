package child

import (
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Sandbox says what happens where the kernel refuses a lock.
type Sandbox string

// The sandbox modes.
const (
	SandboxAuto    Sandbox = "auto"    // take every lock that the kernel gives, convert anyway, and say which ones held
	SandboxRequire Sandbox = "require" // refuse to convert without landlock and seccomp
	SandboxOff     Sandbox = "off"     // no landlock, no seccomp; the limits stay
)

// MinMemory is the smallest cap that a child may have: a Go process needs about 40 MiB of data segment to start,
// and the PDF engine about 120 MiB for one page.
const MinMemory = 128 * job.MiB

// Options are the settings of a Runner. The zero value works: the same binary with the subcommand "child", sandbox auto.
type Options struct {
	// Command is the child's program and arguments. Default: this executable with the argument "child".
	Command []string
	// Sandbox is auto by default.
	Sandbox Sandbox
	// ReadOnly are files and directories that every child may read, such as the compile cache of the PDF engine.
	ReadOnly []string
	// Settings are handed to Program.Configure in the child, as the environment is empty. They must marshal to JSON.
	Settings any
	// Memory is the cap of a spare, in bytes; a job with another cap gets a cold child. Default: job.Limits' default.
	Memory int64
	// TempDir holds the children's working directories. Default: the system's.
	TempDir string
	// DocumentsPerProcess is how many documents of one batch a child may do. Default 1.
	DocumentsPerProcess int
	// RecycleMark is the resident set in bytes above which a child takes no further document of its batch. Default: half its cap,
	// three quarters for a foreign one.
	RecycleMark int64
	// Foreign is for a Program that starts programs which are not ours (cage.go): the child itself may start programs and closes
	// no paths, its programs get the locks; its group is weighed as a whole.
	Foreign bool
	// Keep is how long a foreign child that may do more documents waits for them after its batch. Default 0: it ends with the batch.
	Keep time.Duration
	// Poll is how often memory is looked at. Default 50 ms.
	Poll time.Duration
	// Linger is how long a child may take to exit after its last answer. Default 2 s.
	Linger time.Duration
	// Chatter is how many bytes a child may write to standard output and error before it is killed. Default 16 MiB.
	Chatter int64
	// StderrTail is how many bytes of the end of standard error are kept. Default 64 KiB.
	StderrTail int
	// Log gets starts and deaths at debug level. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if len(o.Command) == 0 {
		o.Command = []string{ownPath(), "child"}
	}
	if o.Sandbox == "" {
		o.Sandbox = SandboxAuto
	}
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	if o.Memory <= 0 {
		o.Memory = job.Limits{}.Normalize().Memory
	}
	o.DocumentsPerProcess = max(1, o.DocumentsPerProcess)
	orDefault(&o.Poll, 50*time.Millisecond)
	orDefault(&o.Linger, 2*time.Second)
	orDefault(&o.Chatter, 16*job.MiB)
	orDefault(&o.StderrTail, 64<<10)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func orDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

func ownPath() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func (o Options) settings() (json.RawMessage, error) {
	if o.Settings == nil {
		return nil, nil
	}
	return json.Marshal(o.Settings)
}

// checkLimits refuses caps with which no child could start.
func checkLimits(l job.Limits) *fault.Error {
	if l.Memory < MinMemory {
		return fault.Newf(fault.BadRequest,
			"The memory limit of %d MiB is too small: a conversion needs at least %d MiB to start. Raise --memory or DECANT_MEMORY.",
			l.Memory/job.MiB, MinMemory/job.MiB)
	}
	return nil
}
