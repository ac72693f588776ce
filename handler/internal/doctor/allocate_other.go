//go:build !linux

package doctor

import (
	"fmt"
	"io"
)

// Allocate says that this system has no cap of this kind.
func Allocate(out io.Writer) { fmt.Fprintln(out, "unsupported") }
