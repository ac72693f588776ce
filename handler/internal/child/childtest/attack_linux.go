package childtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// try is one thing that a captured converter would try.
type try struct {
	name string
	do   func() error
}

// attack tries everything and writes what succeeded. The parent lays out the bait in the input's directory.
func attack(c *conversion, _ string) error {
	run(c, append(harmless(c), harmful(c)...))
	return nil
}

// probe tries only what leaves the machine as it was, for a child without a sandbox.
func probe(c *conversion, _ string) error {
	run(c, harmless(c))
	return nil
}

func run(c *conversion, tries []try) {
	for _, try := range tries {
		if try.do() == nil {
			fmt.Fprintln(&c.text, try.name)
		}
	}
	fmt.Fprintln(&c.text, "tried", len(tries))
}

// harmless attempts change nothing outside the input's directory.
func harmless(c *conversion) []try {
	dir := filepath.Dir(c.request.Input)
	parent := os.Getppid()
	proc := "/proc/" + strconv.Itoa(parent)
	return []try{
		{"read /etc/passwd", func() error { return read("/etc/passwd") }},
		{"read a neighbour of the input", func() error { return read(filepath.Join(dir, "neighbour.txt")) }},
		{"list the root", func() error { _, err := os.ReadDir("/"); return err }},
		{"list the input's directory", func() error { _, err := os.ReadDir(dir); return err }},
		{"write outside", func() error { return write(filepath.Join(dir, "outside.txt")) }},
		{"read the parent's environment", func() error { return read(proc + "/environ") }},
		{"open the parent's memory", func() error { return read(proc + "/mem") }},
		{"list the parent's descriptors", func() error { _, err := os.ReadDir(proc + "/fd"); return err }},
		{"signal the parent", func() error { return unix.Kill(parent, 0) }},
		{"read the parent with process_vm_readv", func() error { return vmRead(parent) }},
		{"pidfd of the parent", func() error { _, err := unix.PidfdOpen(parent, 0); return err }},
		{"execute", func() error { return exec.Command("/bin/true").Run() }},
		{"tcp", func() error { _, err := net.Dial("tcp", "127.0.0.1:9"); return err }},
		{"udp", func() error { _, err := net.Dial("udp", "127.0.0.1:9"); return err }},
		{"listen", func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }},
		{"unix socket", func() error { _, err := net.Dial("unix", filepath.Join(dir, "socket")); return err }},
		{"abstract socket", func() error { _, err := net.Dial("unix", "@decant-attack"); return err }},
		{"socket pair", func() error { _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err }},
		{"netlink", func() error { _, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0); return err }},
		{"raw socket", func() error { _, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP); return err }},
		{"vsock", func() error { _, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0); return err }},
		{"memfd", func() error { _, err := unix.MemfdCreate("x", 0); return err }},
		{"change a mode outside", func() error { return unix.Chmod(filepath.Join(dir, "neighbour.txt"), 0o777) }},
	}
}

// harmful attempts would hurt if they succeeded: the parent, this process or the result.
func harmful(c *conversion) []try {
	dir, parent := filepath.Dir(c.request.Input), os.Getppid()
	return []try{
		{"write the input", func() error { return write(c.request.Input) }},
		{"write /tmp", func() error { return write("/tmp/decant-attack") }},
		{"signal all", func() error { return unix.Kill(-1, 0) }},
		{"kill itself unseen", func() error { return unix.Kill(os.Getpid(), unix.SIGKILL) }},
		{"limit the parent", func() error { return unix.Prlimit(parent, unix.RLIMIT_CORE, &unix.Rlimit{}, nil) }},
		{"trace the parent", func() error { return unix.PtraceSeize(parent) }},
		{"replace itself", func() error { return unix.Exec("/bin/true", []string{"true"}, nil) }},
		{"fork", rawFork},
		{"leave the group", func() error { _, err := unix.Setsid(); return err }},
		{"new namespace", func() error { return unix.Unshare(unix.CLONE_NEWUSER) }},
		{"outlive the parent", func() error { return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) }},
		{"io_uring", func() error { return call(425, 1, 0) }},
		{"bpf", func() error { return call(unix.SYS_BPF, 0, 0) }},
		{"symbolic link in the output", func() error { return unix.Symlink("/etc/passwd", c.out("link")) }},
		{"hard link of the input", func() error { return unix.Link(c.request.Input, c.out("hard")) }},
		{"pipe in the output", func() error { return unix.Mkfifo(c.out("fifo"), 0o600) }},
		{"rename the input", func() error { return os.Rename(c.request.Input, c.out("input")) }},
		{"remove a neighbour", func() error { return os.Remove(filepath.Join(dir, "neighbour.txt")) }},
		{"raise its memory", func() error {
			return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY})
		}},
	}
}

func read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

func write(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func vmRead(pid int) error {
	_, err := unix.ProcessVMReadv(pid, []unix.Iovec{{}}, []unix.RemoteIovec{{}}, 0)
	return err
}

func call(number, a, b uintptr) error {
	_, _, errno := unix.Syscall(number, a, b, 0)
	if errno == unix.EPERM {
		return errno
	}
	return nil
}

// rawFork forks without exec; the copy ends at once.
func rawFork() error {
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0)
	switch {
	case errno != 0:
		return errno
	case pid == 0:
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	return nil
}
