package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

func smokeCommand() *cobra.Command {
	var timeout time.Duration
	c := &cobra.Command{
		Use: "smoke", GroupID: "service", Args: noArguments,
		Short: "Send one document all the way and take it away again",
		Long: `Upload a small document of its own, wait until it is converted, compare the result, delete it and wait until the results are gone.
It tells whether events, queue, app, ledger and storage work together. After a first deployment it may take ten minutes, until the
roles have spread.
` + exitCodes,
		RunE: func(c *cobra.Command, _ []string) error { return runSmoke(c, timeout) },
	}
	c.Flags().DurationVar(&timeout, "timeout", 10*time.Minute, "longest wait for each step")
	return c
}

func runSmoke(c *cobra.Command, timeout time.Duration) error {
	set, err := settings()
	if err != nil {
		return err
	}
	cloud, err := connect(c.Context())
	if err != nil {
		return err
	}
	s := smoke{cloud: cloud, timeout: timeout, announce: cloud.enqueues(set), out: c.OutOrStdout()}
	return s.run(c.Context())
}

// smoke is one document on its way.
type smoke struct {
	cloud    *cloud
	timeout  time.Duration
	announce bool // play Event Grid
	out      io.Writer
}

func (s *smoke) run(ctx context.Context) error {
	mark := fmt.Sprintf("smoke-%d", time.Now().UnixNano())
	src := job.Source{Account: s.cloud.blobs.Account(), Container: s.cloud.settings.Documents, Path: "decant-smoke/" + mark + ".md", Size: -1}
	src, err := s.cloud.files.Upload(ctx, src, strings.NewReader("# "+mark+"\n\nOne document on its way.\n"))
	if err != nil {
		return unreachable(err)
	}
	defer func() { _ = s.cloud.files.Remove(context.WithoutCancel(ctx), src) }()
	if s.announce {
		if err := s.cloud.announce(ctx, src); err != nil {
			return unreachable(err)
		}
	}
	began := time.Now()
	fmt.Fprintf(s.out, "uploaded %s\n", src.Path)
	r, err := s.until(ctx, src, "the document is converted", func(r ledger.Record) bool { return r.State.Terminal() })
	if err != nil {
		return err
	}
	if r.State != ledger.Succeeded {
		return fault.Newf(fault.Internal, "The document ended as %s: look at decant status %s.", r.State, src.Path)
	}
	if err := s.compare(ctx, src, mark); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "converted after %s, and the result is right\n", time.Since(began).Round(100*time.Millisecond))
	return s.takeAway(ctx, src)
}

// compare reads the Markdown back.
func (s *smoke) compare(ctx context.Context, src job.Source, mark string) error {
	m, err := s.cloud.sink.Manifest(ctx, src)
	if err != nil {
		return unreachable(err)
	}
	f, ok := m.File(job.MarkdownFile)
	if !ok {
		return fault.New(fault.Internal, "The document was converted without Markdown.", nil)
	}
	in, err := s.cloud.sink.Open(ctx, src, f.Path)
	if err != nil {
		return unreachable(err)
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, job.MiB))
	if err == nil && !strings.Contains(string(text), "# "+mark) {
		err = fault.Newf(fault.Internal, "The result is not of this document: %q.", text)
	}
	return err
}

// takeAway deletes the document; where Event Grid tells of it, the results go too.
func (s *smoke) takeAway(ctx context.Context, src job.Source) error {
	if err := s.cloud.files.Remove(ctx, src); err != nil {
		return unreachable(err)
	}
	if s.announce {
		if err := s.announceDeleted(ctx, src); err != nil {
			return unreachable(err)
		}
	}
	if _, err := s.until(ctx, src, "the results are deleted", func(r ledger.Record) bool { return r.State == ledger.Gone }); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "deleted, with its results")
	return nil
}

func (s *smoke) announceDeleted(ctx context.Context, src job.Source) error {
	message, err := event.Deleted(s.cloud.account(), src, time.Now())
	if err != nil {
		return err
	}
	return s.cloud.queues.Enqueue(ctx, s.cloud.settings.Conversions, message, 0)
}

// until looks at the record twice a second.
func (s *smoke) until(ctx context.Context, src job.Source, what string, done func(ledger.Record) bool) (ledger.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for {
		r, err := s.cloud.ledger.Load(ctx, src.ID())
		switch {
		case err == nil && done(r):
			return r, nil
		case err != nil && fault.KindOf(err) != fault.NotFound && !errors.Is(err, context.DeadlineExceeded):
			return r, unreachable(err)
		}
		if !sleep(ctx, 500*time.Millisecond) {
			return r, fault.Newf(fault.Timeout, "After %s it is not so that %s; the record says %q. In docs/deploy.md, see the troubleshooting: the first message stays in the queue, or no message comes.", s.timeout, what, r.State)
		}
	}
}
