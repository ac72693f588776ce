//go:build linux

package outside_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
)

// attack tries what a captured converter would, and writes down what it could do. bait is a directory outside.
func attack(w *fake, bait string) {
	parent := os.Getppid() // the launcher; its parent is the handler
	handler := parentOf(parent)
	own := os.TempDir()
	for _, try := range []struct {
		name string
		do   func() error
	}{
		{"own: write", func() error { return os.WriteFile(filepath.Join(own, "x"), []byte("x"), 0o600) }},
		{"own: start a program", func() error { return exec.Command("/bin/true").Run() }},
		{"own: pair of sockets", func() error { _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err }},
		{"own: listen in its folder", func() error { _, err := net.Listen("unix", filepath.Join(own, "s")); return err }},

		{"read /etc/passwd", func() error { _, err := os.ReadFile("/etc/passwd"); return err }},
		{"list the root", func() error { _, err := os.ReadDir("/"); return err }},
		{"read the bait", func() error { _, err := os.ReadFile(filepath.Join(bait, "bait")); return err }},
		{"list the bait", func() error { _, err := os.ReadDir(bait); return err }},
		{"write beside the bait", func() error { return os.WriteFile(filepath.Join(bait, "new"), nil, 0o600) }},
		{"remove the bait", func() error { return os.Remove(filepath.Join(bait, "bait")) }},
		{"change the bait's mode", func() error { return os.Chmod(filepath.Join(bait, "bait"), 0o777) }},
		{"write to /tmp", func() error { return os.WriteFile("/tmp/decant-cage-test", nil, 0o600) }},
		{"tcp", func() error { _, err := net.Dial("tcp", "127.0.0.1:9"); return wanted(err) }},
		{"udp", func() error { _, err := net.Dial("udp", "127.0.0.1:9"); return err }},
		{"listen on tcp", func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }},
		{"netlink", func() error { _, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0); return err }},
		{"connect to a local socket", func() error { return connect(filepath.Join(own, "s")) }},
		{"connect to an abstract socket", func() error { return connect("@decant") }},
		{"signal the handler", func() error { return unix.Kill(handler, 0) }},
		{"signal the handler's thread", func() error { return unix.Tgkill(handler, handler, 0) }},
		{"read the handler's environment", func() error { _, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", handler)); return err }},
		{"read the launcher's memory", func() error { _, err := os.Open(fmt.Sprintf("/proc/%d/mem", parent)); return err }},
		{"trace the launcher", func() error { return unix.PtraceSeize(parent) }},
		{"leave the group", func() error { _, err := unix.Setsid(); return err }},
		{"new namespace", func() error { return unix.Unshare(unix.CLONE_NEWUSER) }},
		{"mount", func() error { return unix.Mount("none", own, "tmpfs", 0, "") }},
		{"raise its limits", func() error {
			return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY})
		}},
		{"hard link", func() error { return os.Link(filepath.Join(own, "x"), filepath.Join(own, "y")) }},
	} {
		if try.do() == nil {
			fmt.Fprintf(&w.text, "- %s\n", try.name)
		}
	}
}

// wanted counts a refused connection as a connection: the packet went out.
func wanted(err error) error {
	if err != nil && strings.Contains(err.Error(), "refused") {
		return nil
	}
	return err
}

func connect(path string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return wanted(unix.Connect(fd, &unix.SockaddrUnix{Name: path}))
}

// parentOf reads a process's parent where it may; else it guesses 1.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 1
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// TestCage: a program that is not ours may use its own folder and what is installed, and nothing else.
func TestCage(t *testing.T) {
	bait := t.TempDir()
	if err := os.WriteFile(filepath.Join(bait, "bait"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRouter(t, child.SandboxAuto, program(t, nil))
	e := convertOne(t, r, request(t, "x.fake", "text Could:\nattack "+bait, limits))
	if e.err != nil {
		t.Fatal(e.err)
	}
	for _, lock := range []string{"seccomp-foreign", "landlock-fs", "landlock-tcp", "landlock-signals", "rlimit-data", "rlimit-cpu", "rlimit-fsize"} {
		if !strings.Contains(strings.Join(e.usage.OutsideLocks, " "), lock) {
			t.Skipf("this kernel gives no %s: %v", lock, e.usage.OutsideLocks)
		}
	}
	if want := "Could:\n\n- own: write\n- own: start a program\n- own: pair of sockets\n- own: listen in its folder\n"; e.text != want {
		t.Errorf("a caged program could do:\n%s\nwant:\n%s", e.text, want)
	}
	if _, err := os.Stat(filepath.Join(bait, "bait")); err != nil {
		t.Error(err)
	}
}

// TestCageOff: with the sandbox off there are limits and no locks.
func TestCageOff(t *testing.T) {
	r := newRouter(t, child.SandboxOff, program(t, nil))
	e := convertOne(t, r, request(t, "x.fake", "text plain", job.Limits{Memory: limits.Memory, Timeout: limits.Timeout}))
	if e.err != nil || strings.Contains(strings.Join(e.usage.OutsideLocks, " "), "landlock") {
		t.Errorf("locks %v, %v", e.usage.OutsideLocks, e.err)
	}
}
