package local

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange swaps two folders in one step (renameat2, RENAME_EXCHANGE); file systems without it get two renames.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return exchangeSlowly(a, b)
	}
	return err
}
