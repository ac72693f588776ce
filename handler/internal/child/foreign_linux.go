package child

import (
	"os"
	"os/signal"
	"slices"

	"github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// foreignNeeds are the denied system calls that a program which is not ours cannot do without: it starts others,
// speaks with them through pairs of sockets, and (LibreOffice, which insists on it) listens on a local socket of its own. To connect
// to anything, or to send to an address, stays denied, and so does every socket that is not a local one.
var foreignNeeds = []string{
	"execve", "execveat", "fork", "vfork",
	"socket", "socketpair", "bind", "listen", "accept", "accept4", "sendto", "recvfrom", "shutdown",
}

// deniedToForeign are the system calls that fail for a foreign child and its programs.
func deniedToForeign() []string {
	return slices.DeleteFunc(slices.Clone(denied), func(name string) bool { return slices.Contains(foreignNeeds, name) })
}

// conditionalForForeign are calls that such programs need in one form. A filter cannot know the pids of processes to come:
// kill reaches the own group only, tgkill is left to landlock.
func conditionalForForeign() []seccomp.NameWithConditions {
	return []seccomp.NameWithConditions{
		when("kill", 0, seccomp.NotEqual, 0),
		when("socket", 0, seccomp.NotEqual, unix.AF_UNIX),
		when("socketpair", 0, seccomp.NotEqual, unix.AF_UNIX),
		when("sendto", 4, seccomp.NotEqual, 0), // to the other end of a pair, not to an address
		when("prlimit64", 0, seccomp.NotEqual, 0),
		when("clone", 0, seccomp.BitsSet, unix.CLONE_NEWUSER),
		when("prctl", 0, seccomp.Equal, unix.PR_SET_DUMPABLE),
	}
}

// guard ends the whole group when the parent is gone, which the kernel says with SIGTERM (processAttributes).
func guard() {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, unix.SIGTERM)
	go func() {
		<-gone
		killOwnGroup()
	}()
}

// killOwnGroup kills this process and everything that it has started.
func killOwnGroup() { _ = unix.Kill(0, unix.SIGKILL) }
