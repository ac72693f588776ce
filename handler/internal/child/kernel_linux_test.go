package child_test

import (
	"os"
	"slices"
	"testing"

	"github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"decant/handler/internal/child"
	"decant/handler/internal/child/childtest"
	"decant/handler/internal/fault"
)

// inheritable takes the close-on-exec flag from a descriptor, as a careless host does.
func inheritable(t *testing.T, f *os.File) {
	t.Helper()
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
}

// withoutArgument makes the test binary a child on a kernel that lacks one system call.
const withoutArgument = "without"

// becomeChildWithout hides a system call, as an older kernel or a strict container does, and goes on as the child.
func becomeChildWithout(name string) {
	policy := seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{
		{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{name}},
	}}
	if err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: policy}); err != nil {
		panic(err)
	}
	self, _ := os.Executable()
	panic(unix.Exec(self, []string{self, childtest.Argument}, nil))
}

// TestKernelLacksALock: auto converts with the locks that there are and says which are missing; require refuses, with words
// that tell what to do.
func TestKernelLacksALock(t *testing.T) {
	self, _ := os.Executable()
	for _, test := range []struct{ call, lock, other string }{
		{"landlock_create_ruleset", "landlock-fs", "seccomp"},
		{"seccomp", "seccomp", "landlock-fs"},
	} {
		t.Run(test.call, func(t *testing.T) {
			command := []string{self, withoutArgument, test.call}
			auto := child.New(child.Options{Command: command})
			defer auto.Close()
			_, usage, err := auto.Convert(t.Context(), request(t, "text x", small))
			if err != nil || slices.Contains(usage.Locks, test.lock) || !slices.Contains(usage.Locks, test.other) {
				t.Errorf("auto: locks %v, err %v", usage.Locks, err)
			}
			if report := auto.Locks(t.Context()); !slices.Contains(report.Missing, test.lock) {
				t.Errorf("report = %+v", report)
			}
			require := child.New(child.Options{Command: command, Sandbox: child.SandboxRequire})
			defer require.Close()
			q := request(t, "text x", small)
			_, usage, err = require.Convert(t.Context(), q)
			if fault.KindOf(err) != fault.Sandbox || usage.Death != child.DeathSandbox {
				t.Errorf("require: %v, death %s, stderr %s", err, usage.Death, usage.Stderr)
			}
		})
	}
}
