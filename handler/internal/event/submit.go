package event

import (
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"strings"

	"decant/handler/internal/fault"
)

// Priorities of a batch: which of the two queues its documents go to.
const (
	PriorityNormal = "normal"
	PriorityBulk   = "bulk"
)

// MaxListed is how many documents a batch may list; more are given by container and prefix.
const MaxListed = 100_000

// Check says what is wrong with a submission, as a fault of kind fault.BadRequest, and fills in the default priority.
func (d *Decoder) Check(s *BatchSubmit) error {
	if s.Priority == "" {
		s.Priority = PriorityBulk
	}
	if err := d.CheckOptions(s.Options); err != nil {
		return err
	}
	if err := s.Limits.Check(); err != nil {
		return err
	}
	for _, check := range []func(*BatchSubmit) error{d.checkDocuments, checkSizes, checkPatterns, checkTimes, checkWebhook} {
		if err := check(s); err != nil {
			return err
		}
	}
	if s.Priority != PriorityNormal && s.Priority != PriorityBulk {
		return fault.Newf(fault.BadRequest, "priority %.40q: it must be %s or %s.", s.Priority, PriorityNormal, PriorityBulk)
	}
	return nil
}

func (d *Decoder) checkDocuments(s *BatchSubmit) error {
	switch {
	case len(s.Documents) == 0 && s.Container == "":
		return fault.Newf(fault.BadRequest, "The batch names neither documents nor a container.")
	case len(s.Documents) > 0 && s.Container != "":
		return fault.Newf(fault.BadRequest, "The batch names both documents and a container; give one of them.")
	case len(s.Documents) > MaxListed:
		return fault.Newf(fault.BadRequest, "The batch lists %d documents; the limit is %d. Give a container and a prefix instead.", len(s.Documents), MaxListed)
	case s.Container != "" && !containerName.MatchString(s.Container):
		return fault.Newf(fault.BadRequest, "%.80q is not the name of a container.", s.Container)
	case s.Container != "" && !d.watches(s.Container):
		return fault.Newf(fault.BadRequest, "Container %q is not one that this app converts from.", s.Container)
	}
	for i := range s.Documents {
		source, err := d.source(&s.Documents[i])
		if err != nil {
			return fault.New(fault.BadRequest, fmt.Sprintf("documents[%d]: %s", i, fault.From(err).Message), err)
		}
		if !d.watches(source.Container) {
			return fault.Newf(fault.BadRequest, "documents[%d]: container %q is not one that this app converts from.", i, source.Container)
		}
	}
	return nil
}

// Bounds of a batch's own item, which is stored whole, in bytes and in number.
const (
	maxText     = 1024
	maxPatterns = 100
	maxMetadata = 100
)

func checkSizes(s *BatchSubmit) error {
	for name, text := range map[string]string{"name": s.Name, "key": s.Key, "prefix": s.Prefix, "webhook": s.Webhook} {
		if len(text) > maxText {
			return fault.Newf(fault.BadRequest, "%s: it has %d bytes, the limit is %d.", name, len(text), maxText)
		}
	}
	if len(s.Include)+len(s.Exclude) > maxPatterns {
		return fault.Newf(fault.BadRequest, "The batch has %d patterns, the limit is %d.", len(s.Include)+len(s.Exclude), maxPatterns)
	}
	if len(s.Metadata) > maxMetadata {
		return fault.Newf(fault.BadRequest, "metadata: it has %d members, the limit is %d.", len(s.Metadata), maxMetadata)
	}
	for name, value := range s.Metadata {
		if len(name)+len(value) > maxText {
			return fault.Newf(fault.BadRequest, "metadata: %.40s has %d bytes, the limit is %d.", name, len(name)+len(value), maxText)
		}
	}
	if s.MaxRetries < 0 {
		return fault.Newf(fault.BadRequest, "maxRetries: it must not be negative.")
	}
	return nil
}

func checkPatterns(s *BatchSubmit) error {
	for _, patterns := range [][]string{s.Include, s.Exclude} {
		for _, pattern := range patterns {
			if len(pattern) > maxText {
				return fault.Newf(fault.BadRequest, "%.80q ... is longer than %d bytes.", pattern, maxText)
			}
			if _, err := path.Match(pattern, ""); err != nil {
				return fault.Newf(fault.BadRequest, "%.80q is not a pattern such as *.pdf.", pattern)
			}
		}
	}
	return nil
}

func checkTimes(s *BatchSubmit) error {
	if !s.Expires.IsZero() && !s.Expires.After(s.NotBefore) {
		return fault.Newf(fault.BadRequest, "expires must be later than notBefore.")
	}
	return nil
}

func checkWebhook(s *BatchSubmit) error {
	if s.Webhook == "" {
		return nil
	}
	u, err := url.Parse(s.Webhook)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fault.Newf(fault.BadRequest, "webhook: an https URL without a password in it is expected.")
	}
	if at, err := netip.ParseAddr(u.Hostname()); err == nil && !public(at) || strings.EqualFold(u.Hostname(), "localhost") {
		return fault.Newf(fault.BadRequest, "webhook: only public addresses are called.")
	}
	return nil
}

func public(at netip.Addr) bool {
	at = at.Unmap()
	return at.IsGlobalUnicast() && !at.IsPrivate() && !at.IsLoopback() && !at.IsLinkLocalUnicast()
}
