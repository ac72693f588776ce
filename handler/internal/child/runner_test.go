package child_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/child/childtest"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// newRunner runs the test binary as the child.
func newRunner(t testing.TB, o child.Options) *child.Runner {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Command = []string{self, childtest.Argument}
	r := child.New(o)
	t.Cleanup(r.Close)
	return r
}

// request is a document of instructions in a directory of its own.
func request(t testing.TB, instructions string, limits job.Limits) job.Request {
	t.Helper()
	dir := t.TempDir()
	input, out := filepath.Join(dir, "input.txt"), filepath.Join(dir, "out")
	if err := os.WriteFile(input, []byte(instructions), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	return job.Request{Job: job.Job{ID: "d1", Limits: limits}, Input: input, OutDir: out}
}

func output(t testing.TB, q job.Request) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(q.OutDir, job.MarkdownFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var small = job.Limits{Memory: 256 * job.MiB, Timeout: 20 * time.Second}

// with changes some of the small limits.
func with(change func(*job.Limits)) job.Limits {
	l := small
	change(&l)
	return l
}

// TestDeaths runs every instruction in a real process and checks that its death is told apart from every other.
func TestDeaths(t *testing.T) {
	tests := []struct {
		name   string
		text   string
		limits job.Limits
		mode   child.Sandbox
		kind   fault.Kind
		death  string
		want   string // in the error or in standard error
	}{
		{name: "ok", text: "progress parse 1\ntext hello", limits: small, death: child.DeathOK},
		{name: "refused", text: "fault encrypted", limits: small, kind: fault.Encrypted, death: child.DeathRefused, want: "password"},
		{name: "unknown instruction", text: "dance", limits: small, kind: fault.Unsupported, death: child.DeathRefused, want: "dance"},
		{name: "sleeps over its time", text: "sleep 1h", limits: with(func(l *job.Limits) { l.Timeout = 300 * time.Millisecond }), kind: fault.Timeout, death: child.DeathTimeout},
		{name: "spins over its time", text: "progress parse 7\nspin", limits: with(func(l *job.Limits) { l.Timeout = 300 * time.Millisecond }), kind: fault.Timeout, death: child.DeathTimeout},
		{name: "silent", text: "progress parse 4\nsilent 1h", limits: with(func(l *job.Limits) { l.NoProgress = 2 * time.Second }), kind: fault.NoProgress, death: child.DeathNoProgress, want: "parse 4"},
		{name: "busy but alive", text: "sleep 3s", limits: with(func(l *job.Limits) { l.NoProgress = 2 * time.Second }), death: child.DeathOK},
		{name: "heap", text: "heap 4096", limits: small, kind: fault.Memory, death: child.DeathMemory},
		{name: "small objects", text: "small 4096", limits: small, kind: fault.Memory, death: child.DeathMemory},
		{name: "wasm refused cleanly", text: "wasm 4000", limits: small, kind: fault.Memory, death: child.DeathRefused, want: "wasm memory refused"},
		{name: "wasm with the append allocator", text: "wasm-append 4000", limits: small, kind: fault.Memory, death: child.DeathMemory},
		{name: "garbage under the cap", text: "churn 90", limits: small, death: child.DeathOK},
		{name: "panic", text: "progress parse 3\npanic", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "panic: mock: told to panic"},
		{name: "stack overflow", text: "overflow", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "stack exceeds"},
		{name: "exit 0 without an answer", text: "exit 0", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "exit code 0"},
		{name: "exit 3", text: "exit 3", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "exit code 3"},
		{name: "segmentation fault", text: "kill SIGSEGV", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "SIGSEGV"},
		{name: "SIGTERM", text: "kill SIGTERM", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "SIGTERM"},
		{name: "SIGKILL from outside the sandbox", text: "kill SIGKILL", limits: small, mode: child.SandboxOff, kind: fault.Interrupted, death: child.DeathByHost},
		{name: "grandchildren refused", text: "fork 2", limits: small, kind: fault.Internal, death: child.DeathRefused, want: "permi"},
		{name: "grandchildren outlive it", text: "fork 3\ntext done", limits: small, mode: child.SandboxOff, death: child.DeathOK},
		{name: "grandchildren after a crash", text: "fork 3\npanic", limits: small, mode: child.SandboxOff, kind: fault.Crash, death: child.DeathCrash},
		{name: "memory of a grandchild", text: "fork-heap 120\nfork-heap 120\nfork-heap 120\nsilent 1h", limits: small, mode: child.SandboxOff, kind: fault.Memory, death: child.DeathMemory},
		{name: "gigabyte to standard output", text: "stdout 1073741824", limits: small, kind: fault.LimitOutput, death: child.DeathOutputLimit},
		{name: "result too large", text: "output 512", limits: with(func(l *job.Limits) { l.Output = 32 * job.MiB }), kind: fault.LimitOutput, death: child.DeathOutputLimit},
		{name: "one file too large", text: "big-file 512", limits: with(func(l *job.Limits) { l.Output, l.Disk = 32*job.MiB, 16*job.MiB }), kind: fault.LimitOutput},
		{name: "temporary files", text: "fill 4096", limits: with(func(l *job.Limits) { l.Disk = 64 * job.MiB }), kind: fault.LimitDisk, death: child.DeathDiskLimit},
		{name: "temporary files without names", text: "fill-unlinked 128", limits: with(func(l *job.Limits) { l.Disk = 64 * job.MiB }), kind: fault.LimitDisk, death: child.DeathDiskLimit},
		{name: "rubbish", text: "rubbish", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "makes no sense"},
		{name: "answers twice", text: "twice", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "second answer"},
		{name: "closes its answers", text: "mute", limits: small, kind: fault.Crash, death: child.DeathCrash},
		{name: "names a file elsewhere", text: "forge ../input.txt", limits: small, kind: fault.Crash, death: child.DeathCrash, want: "not below"},
		{name: "names a file that is not there", text: "forge chunks.jsonl", limits: small, kind: fault.Crash, death: child.DeathCrash},
		{name: "link as result", text: "link /etc/passwd", limits: small, mode: child.SandboxOff, kind: fault.Crash, death: child.DeathCrash},
		{name: "cap too small", text: "text x", limits: job.Limits{Memory: 64 * job.MiB}, kind: fault.BadRequest, death: child.DeathRefused, want: "at least 128 MiB"},
		{name: "input too large", text: "text too long", limits: with(func(l *job.Limits) { l.Input = 4 }), kind: fault.TooLarge, death: child.DeathRefused},
	}
	idle := ownMemory()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRunner(t, child.Options{Sandbox: test.mode})
			q := request(t, test.text, test.limits)
			_, usage, err := r.Convert(t.Context(), q)
			if got := fault.KindOf(err); got != test.kind {
				t.Errorf("kind = %q, want %q (%v; stderr %.600s)", got, test.kind, err, usage.Stderr)
			}
			if test.death != "" && usage.Death != test.death {
				t.Errorf("death = %q, want %q (%v)", usage.Death, test.death, err)
			}
			if test.want != "" && !strings.Contains(err.Error()+usage.Stderr, test.want) {
				t.Errorf("neither the error %q nor standard error %.300q has %q", err, usage.Stderr, test.want)
			}
			if entries, _ := os.ReadDir(q.OutDir); err != nil && len(entries) > 0 {
				t.Errorf("%d partial results are visible", len(entries))
			}
			t.Logf("peak %d MiB, wall %v, cpu %v, exit %d %s", usage.PeakMemory/job.MiB, usage.Wall.Round(time.Millisecond), usage.CPU, usage.Exit, usage.Signal)
		})
	}
	if now := ownMemory(); now > idle+50*job.MiB {
		t.Errorf("the parent grew from %d to %d MiB", idle/job.MiB, now/job.MiB)
	}
}

// ownMemory is this process's high-water mark, in bytes.
func ownMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "VmHWM:" {
			n := int64(0)
			for _, c := range fields[1] {
				n = n*10 + int64(c-'0')
			}
			return n << 10
		}
	}
	return 0
}

// TestUsage checks what every record shows, above all the last page before the death.
func TestUsage(t *testing.T) {
	r := newRunner(t, child.Options{})
	var seen []job.Progress
	q := request(t, "progress parse 1\nprogress parse 57\nheap 64\npanic", small)
	q.Progress = func(p job.Progress) { seen = append(seen, p) }
	_, usage, _ := r.Convert(t.Context(), q)
	if want := (job.Progress{Stage: "parse", Page: 57}); usage.Last != want || !slices.Contains(seen, want) {
		t.Errorf("last sign of life = %+v, seen %v, want %+v", usage.Last, seen, want)
	}
	if usage.Exit != 2 || usage.Wall <= 0 || usage.CPU <= 0 || usage.Cold <= 0 {
		t.Errorf("usage = %+v", usage)
	}
	q = request(t, "heap 64\ntext x", small)
	if _, usage, _ = r.Convert(t.Context(), q); usage.PeakMemory < 64*job.MiB || usage.PeakMemory > 160*job.MiB {
		t.Errorf("peak = %d MiB, want a little more than 64", usage.PeakMemory/job.MiB)
	}
}

// TestPeakIsNotTheParents fails if ru_maxrss is taken at face value: it starts at the parent's size.
func TestPeakIsNotTheParents(t *testing.T) {
	ballast := make([]byte, 200<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	r := newRunner(t, child.Options{})
	for range 20 {
		_, usage, err := r.Convert(t.Context(), request(t, "text x", small))
		if err != nil || usage.PeakMemory > 100*job.MiB {
			t.Fatalf("peak = %d MiB, err %v", usage.PeakMemory/job.MiB, err)
		}
	}
	_ = ballast[len(ballast)-1]
}

// TestCancel: a job's end kills its group within two seconds, with the cause that the caller gave.
func TestCancel(t *testing.T) {
	r := newRunner(t, child.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	q := request(t, "output 8\nsleep 1h", small)
	var at time.Time
	time.AfterFunc(200*time.Millisecond, func() {
		at = time.Now()
		cancel(fault.New(fault.Cancelled, "Cancelled by ada.", nil))
	})
	_, usage, err := r.Convert(ctx, q)
	if took := time.Since(at); fault.KindOf(err) != fault.Cancelled || took > 2*time.Second || !strings.Contains(err.Error(), "ada") {
		t.Errorf("err = %v after %v", err, took)
	}
	if entries, _ := os.ReadDir(q.OutDir); len(entries) > 0 || usage.Death != child.DeathCancelled {
		t.Errorf("death %q, %d entries", usage.Death, len(entries))
	}
	if _, _, err := r.Convert(ctx, q); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("a conversion after the end of its context = %v", err)
	}
}

// TestEnvironment: nothing is inherited, the settings and the password arrive, and the password is nowhere else.
func TestEnvironment(t *testing.T) {
	t.Setenv("AzureWebJobsStorage", "secret")
	leak, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer leak.Close()
	inheritable(t, leak)
	r := newRunner(t, child.Options{Settings: map[string]string{"cache": "/c"}})
	q := request(t, "environment", small)
	if _, _, err := r.Convert(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if got := output(t, q); strings.Contains(got, "variable") || strings.Contains(got, "fd 4 20000") {
		t.Errorf("inherited:\n%s", got)
	}
	q = request(t, "settings\ntext  \npassword", small)
	q.Job.Options.Password = "hunter2"
	if _, _, err := r.Convert(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if got := output(t, q); !strings.Contains(got, `{"cache":"/c"}`) || !strings.Contains(got, "hunter2") {
		t.Errorf("got %q", got)
	}
}
