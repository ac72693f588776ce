package app

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/config"
	"decant/handler/internal/deadletter"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// redriveFlags are the options of `decant redrive`.
type redriveFlags struct {
	class   string
	id      string
	since   time.Duration
	memory  string
	timeout time.Duration
	limit   int
	dryRun  bool
	asJSON  bool
}

func redriveCommand() *cobra.Command {
	var f redriveFlags
	c := &cobra.Command{
		Use: "redrive", GroupID: "service", Args: noArguments,
		Short: "Put failed and poisoned documents back on the queue",
		Long: `Put documents that failed or were poisoned back on the queue, with other limits if asked.
The reasons (--class) are the fault kinds that decant status shows: memory, timeout, crash, corrupt, encrypted ...
` + exitCodes,
		Example: `  decant redrive --class memory --since 24h --memory 3GiB
  decant redrive --id d05d8d0e0a2b4e0ca1f40f6ae6522c792
  decant redrive --dry-run`,
		RunE: func(c *cobra.Command, _ []string) error { return runRedrive(c, f) },
	}
	s := c.Flags()
	s.StringVar(&f.class, "class", "", "only documents that failed for this reason")
	s.StringVar(&f.id, "id", "", "only this document")
	s.DurationVar(&f.since, "since", 0, "only documents that failed within this time, such as 24h")
	s.StringVar(&f.memory, "memory", "", "new memory cap, such as 3GiB")
	s.DurationVar(&f.timeout, "timeout", 0, "new time limit")
	s.IntVar(&f.limit, "limit", 10_000, "how many at most")
	s.BoolVar(&f.dryRun, "dry-run", false, "tell what would be put back, and do nothing")
	s.BoolVar(&f.asJSON, "json", false, "print as JSON")
	return c
}

func (f redriveFlags) filter() (deadletter.Filter, error) {
	out := deadletter.Filter{Class: fault.Kind(f.class), ID: job.ID(f.id), DryRun: f.dryRun, Limit: f.limit}
	if f.class != "" && fault.Lookup(out.Class).Kind != out.Class {
		return out, usage{fmt.Errorf("--class %s: there is no such reason; decant status shows them", f.class)}
	}
	if f.since > 0 {
		out.Since = time.Now().Add(-f.since)
	}
	if f.memory != "" {
		n, err := config.ParseSize(f.memory)
		if err != nil {
			return out, usage{fmt.Errorf("--memory %s: %w", f.memory, err)}
		}
		out.Limits.Memory = n
	}
	out.Limits.Timeout = f.timeout
	return out, nil
}

// drivenRow is one document as `decant redrive --json` prints it.
type drivenRow struct {
	DocumentID job.ID     `json:"documentId"`
	Path       string     `json:"path"`
	State      string     `json:"state"` // before
	Class      fault.Kind `json:"class,omitempty"`
	Result     string     `json:"result"`
}

func runRedrive(c *cobra.Command, f redriveFlags) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	cloud, err := connect(c.Context())
	if err != nil {
		return err
	}
	driven, err := cloud.box.Redrive(c.Context(), filter)
	rows, failed := drivenRows(driven, f.dryRun)
	if f.asJSON {
		err = errors.Join(err, printJSON(c.OutOrStdout(), rows))
	} else {
		lines := [][]string{{"FILE", "STATE", "REASON", "RESULT"}}
		for _, r := range rows {
			lines = append(lines, []string{r.Path, r.State, string(r.Class), r.Result})
		}
		err = errors.Join(err, printColumns(c.OutOrStdout(), lines))
	}
	if err == nil && failed {
		return exit(fault.ExitSomeFailed)
	}
	return unreachable(err)
}

func drivenRows(driven []deadletter.Driven, dryRun bool) (rows []drivenRow, failed bool) {
	rows = make([]drivenRow, len(driven))
	for i, d := range driven {
		rows[i] = drivenRow{DocumentID: d.DocumentID, Path: d.Path, State: string(d.State), Class: d.Class, Result: "queued"}
		switch {
		case dryRun:
			rows[i].Result = "would be queued"
		case d.Err != nil:
			rows[i].Result, failed = fault.From(d.Err).Message, true
		}
	}
	return rows, failed
}
