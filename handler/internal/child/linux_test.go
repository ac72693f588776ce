package child_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// inheritable takes the close-on-exec flag from a descriptor, as a careless host does.
func inheritable(t *testing.T, f *os.File) {
	t.Helper()
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
}
