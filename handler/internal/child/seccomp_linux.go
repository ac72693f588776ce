package child

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denied are the system calls that a conversion never needs; they fail with EPERM. Names that an architecture does not have are
// left out for it.
var denied = []string{
	// any kind of socket
	"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "shutdown",
	// other programs and processes; clone without CLONE_THREAD is below
	"execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
	"pidfd_open", "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
	// out of the group, or another identity
	"setsid", "setpgid", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups", "capset", "personality",
	// what landlock does not cover: modes, owners, times and attributes of files anywhere, and links out of the output directory
	"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat",
	"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat",
	"link", "linkat", "symlink", "symlinkat", "mknod", "mknodat", "open_by_handle_at", "name_to_handle_at",
	// memory that RLIMIT_DATA does not count, and memory shared with others
	"shmget", "shmat", "shmctl", "memfd_create", "memfd_secret", "mq_open", "mq_unlink", "semget", "msgget", "userfaultfd",
	// the kernel's back doors
	"io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "keyctl", "add_key", "request_key",
	"mount", "umount2", "mount_setattr", "move_mount", "open_tree", "fsopen", "fsmount", "fsconfig", "fspick", "pivot_root", "chroot", "unshare", "setns",
	"init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd",
	"iopl", "ioperm", "modify_ldt", "syslog", "sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
	"fanotify_init", "inotify_init", "inotify_init1", "vhangup", "nfsservctl", "lookup_dcookie", "uselib", "ustat", "sysfs",
}

// conditional are calls that Go itself needs in one form and a captured child would need in another.
func conditional(pid uint64) []seccomp.NameWithConditions {
	const eq, ne, bitsNotSet = seccomp.Equal, seccomp.NotEqual, seccomp.BitsNotSet
	return []seccomp.NameWithConditions{
		when("clone", 0, bitsNotSet, unix.CLONE_THREAD), // a thread is fine, a process is not
		when("kill", 0, ne, pid),                        // nobody but itself,
		when("kill", 1, eq, uint64(unix.SIGKILL)),       // and not with SIGKILL: that one always comes from outside (exit.go)
		when("tgkill", 0, ne, pid),
		when("tgkill", 2, eq, uint64(unix.SIGKILL)),
		when("prlimit64", 0, ne, 0), // no limits of other processes
		when("prctl", 0, eq, unix.PR_SET_PDEATHSIG),
		when("prctl", 0, eq, unix.PR_SET_DUMPABLE),
	}
}

func when(name string, argument uint32, op seccomp.Operation, value uint64) seccomp.NameWithConditions {
	return seccomp.NameWithConditions{Name: name, Conditions: seccomp.ArgumentConditions{{Argument: argument, Operation: op, Value: value}}}
}

// denySyscalls installs two filters on all threads: one that kills on system calls of another architecture (which the policy's
// numbers do not cover), and one that refuses what is denied.
func denySyscalls(foreign bool) ([]string, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	lock, names, conditions := lockSeccomp, denied, conditional(uint64(os.Getpid()))
	if foreign {
		lock, names, conditions = lockForeign, deniedToForeign(), conditionalForForeign()
	}
	noSys := seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)
	err = load(
		seccomp.SyscallGroup{Action: refuse, Names: known(info, names)},
		seccomp.SyscallGroup{Action: refuse, NamesWithCondtions: knownConditional(info, conditions)},
		seccomp.SyscallGroup{Action: noSys, Names: known(info, []string{"clone3"})}, // callers fall back to clone, whose flags a filter can read
	)
	if err != nil {
		return nil, err
	}
	if err := onlyThisArchitecture(uint32(info.ID)); err != nil {
		return []string{lock}, fmt.Errorf("kill foreign system calls: %w", err)
	}
	return []string{lock}, nil
}

// freeze refuses what was still needed to lock the process in: changes of limits, which a child that runs as root could raise,
// and tkill, with which landlock reaches every thread of a binary built with cgo.
func freeze() error {
	info, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	newLimit := seccomp.NameWithConditions{Name: "prlimit64", Conditions: seccomp.ArgumentConditions{{Argument: 2, Operation: seccomp.NotEqual}}}
	return load(
		seccomp.SyscallGroup{Action: refuse, Names: known(info, []string{"setrlimit", "tkill"})},
		seccomp.SyscallGroup{Action: refuse, NamesWithCondtions: []seccomp.NameWithConditions{newLimit}},
	)
}

// refuse fails a call with EPERM.
const refuse = seccomp.ActionErrno | seccomp.Action(unix.EPERM)

// load installs a filter on all threads, beside those that are there.
func load(groups ...seccomp.SyscallGroup) error {
	policy := seccomp.Policy{DefaultAction: seccomp.ActionAllow}
	for _, group := range groups {
		if len(group.Names)+len(group.NamesWithCondtions) > 0 {
			policy.Syscalls = append(policy.Syscalls, group)
		}
	}
	return seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: policy})
}

func known(info *arch.Info, names []string) (have []string) {
	for _, name := range names {
		if _, ok := info.SyscallNames[name]; ok {
			have = append(have, name)
		}
	}
	return have
}

func knownConditional(info *arch.Info, all []seccomp.NameWithConditions) (have []seccomp.NameWithConditions) {
	for _, c := range all {
		if _, ok := info.SyscallNames[c.Name]; ok {
			have = append(have, c)
		}
	}
	return have
}

// onlyThisArchitecture kills the process on system calls of another one, such as int 0x80 on amd64.
func onlyThisArchitecture(id uint32) error {
	const archOffset = 4 // struct seccomp_data, seccomp(2)
	raw, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: archOffset, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: id, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS},
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
	})
	if err != nil {
		return err
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}
