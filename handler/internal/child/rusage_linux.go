package child

import "syscall"

// maxrss is in kibibytes on Linux.
func maxrss(u *syscall.Rusage) int64 { return u.Maxrss << 10 }
