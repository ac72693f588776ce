package local

import "os"

// exchangeSlowly swaps two folders with three renames: for a moment b is not there, and a reader finds no manifest.
func exchangeSlowly(a, b string) error {
	aside := b + ".old~"
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Rename(b, aside); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		return err
	}
	return os.Rename(aside, a)
}
