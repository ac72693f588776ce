//go:build !linux

package childtest

import "errors"

func attack(*conversion, string) error { return errors.New("there is no sandbox to attack here") }

func probe(*conversion, string) error { return errors.New("there is no sandbox to attack here") }
