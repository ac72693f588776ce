package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"decant/handler/internal/job"
	"decant/handler/internal/lazyregexp"
)

// ParseSize reads a size: a number with an optional unit (KiB, MB, G ...). KB, MB and GB are decimal, KiB, MiB and GiB binary.
func ParseSize(s string) (int64, error) {
	n, err := humanize.ParseBytes(strings.TrimSpace(s))
	if err != nil || n > 1<<62 {
		return 0, errors.New("must be a size such as 512MiB or 2GB")
	}
	return int64(n), nil
}

func size(field func(*Config) *int64, least int64) func(*Config, string) error {
	return func(c *Config, s string) error {
		n, err := ParseSize(s)
		if err != nil {
			return err
		}
		if n < least {
			return fmt.Errorf("must be %s or more", humanize.IBytes(uint64(least)))
		}
		*field(c) = n
		return nil
	}
}

func duration(field func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return errors.New("must be a duration above zero such as 90s, 10m or 1h")
		}
		*field(c) = d
		return nil
	}
}

func count(field func(*Config) *int, least int) func(*Config, string) error {
	return func(c *Config, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < least {
			return fmt.Errorf("must be a whole number, %d or more", least)
		}
		*field(c) = n
		return nil
	}
}

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, s string) error {
		*field(c) = s
		return nil
	}
}

func secret(field func(*Config) *job.Secret) func(*Config, string) error {
	return func(c *Config, s string) error {
		*field(c) = job.Secret(s)
		return nil
	}
}

func words(field func(*Config) *string, allowed ...string) func(*Config, string) error {
	return func(c *Config, s string) error {
		if !slices.Contains(allowed, s) {
			return fmt.Errorf("must be one of %s", strings.Join(allowed, ", "))
		}
		*field(c) = s
		return nil
	}
}

// queueName is the storage service's rule, with room for "-poison": 3 to 56 characters instead of 63.
var queueName = lazyregexp.New(`^[a-z0-9]([a-z0-9]|-[a-z0-9]){1,54}[a-z0-9]$`)

func queue(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, s string) error {
		if len(s) > 56 || !queueName.MatchString(s) {
			return errors.New("must be 3 to 56 characters of a-z, 0-9 and single hyphens, so that the -poison queue's name fits too")
		}
		*field(c) = s
		return nil
	}
}
