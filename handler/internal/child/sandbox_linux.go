package child

import (
	"errors"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// File system rights in the sandbox. Nothing may be executed anywhere, and no link, device, socket or pipe be made.
const (
	readFile  = ll.AccessFSReadFile
	readDir   = ll.AccessFSReadFile | ll.AccessFSReadDir
	writeFile = ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate
	writeDir  = writeFile | ll.AccessFSReadDir | ll.AccessFSMakeReg | ll.AccessFSMakeDir | ll.AccessFSRemoveFile | ll.AccessFSRemoveDir
)

// landlockLocks says from which version of the kernel's interface on a lock holds.
var landlockLocks = []struct {
	abi  int
	lock string
}{{1, lockFS}, {4, lockTCP}, {6, lockSignals}}

// shutPaths lets the process open only what is listed, from here on and for ever, and freezes what was needed for that.
// The locks that could be had hold even when the error says that one is missing.
func shutPaths(read, write []string) ([]string, error) {
	locks, err := restrict(append(rules(read, readFile, readDir), rules(write, writeFile, writeDir)...))
	return locks, errors.Join(err, freeze())
}

// restrict applies landlock to all threads.
func restrict(rules []landlock.Rule) (locks []string, err error) {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil || abi < 1 {
		return nil, errors.Join(errors.New("the kernel has no landlock"), err)
	}
	if err := landlock.V10.BestEffort().Restrict(rules...); err != nil {
		return nil, err
	}
	for _, l := range landlockLocks {
		if abi >= l.abi {
			locks = append(locks, l.lock)
		}
	}
	return locks, nil
}

// rules grants rights to files or directories. What does not exist needs no rule.
func rules(paths []string, file, dir landlock.AccessFSSet) (rules []landlock.Rule) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.IsDir():
			rules = append(rules, landlock.PathAccess(dir, path))
		default:
			rules = append(rules, landlock.PathAccess(file, path))
		}
	}
	return rules
}
