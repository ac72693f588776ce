//go:build !linux

package child_test

import (
	"os"
	"testing"
)

const withoutArgument = "without"

func becomeChildWithout(string) { panic("only Linux can hide a system call") }

func inheritable(t *testing.T, _ *os.File) { t.Skip("descriptors are not listed here") }
