package child

import (
	"errors"
	"syscall"
	"time"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Rights of a caged program: it may read and start what is installed, and do as it likes in its own directories, which go with it.
const (
	programFile = readFile | ll.AccessFSExecute
	programDir  = readDir | ll.AccessFSExecute
	ownDir      = writeDir | ll.AccessFSRefer | ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym
)

// installed is where programs, their libraries, fonts and tables are, and nothing that is private to the machine.
var installed = []string{
	"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin",
	"/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/libreoffice", "/etc/localtime",
	"/etc/mime.types", "/etc/nsswitch.conf", "/etc/papersize", "/var/cache/fontconfig",
	"/dev/random", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/sys/devices/system/cpu",
}

// programAttributes let the kernel end the program with the thread that started it.
func programAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// lockIn takes the limits and the locks that are the program's own.
func (g Cage) lockIn() (locks []string, err error) {
	if g.CPU > 0 && setLimit(unix.RLIMIT_CPU, uint64((g.CPU+time.Second-1)/time.Second)) == nil {
		locks = append(locks, lockCPU)
	}
	if g.File > 0 && setLimit(unix.RLIMIT_FSIZE, uint64(g.File)) == nil {
		locks = append(locks, lockFileSize)
	}
	if g.Sandbox == SandboxOff {
		return locks, nil
	}
	own := append(rules(installed, programFile, programDir), rules([]string{"/dev/null"}, writeFile, writeDir)...)
	own = append(own, rules(g.Read, programFile, programDir)...)
	own = append(own, rules(g.Sockets, ll.AccessFSMakeSock, ll.AccessFSMakeSock)...)
	own = append(own, rules(g.Write, writeFile, ownDir)...)
	held, err := restrict(own)
	return append(locks, held...), errors.Join(err, freeze())
}
