//go:build !linux

package child

func unlinkedUse(int) int64 { return 0 }
