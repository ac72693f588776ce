package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
)

func batchCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "batch", GroupID: "service",
		Short: "Convert many documents as one: submit, status, watch, cancel, retry",
		Long:  "Convert what lies in a container as one batch, follow it, stop it, try again what failed.\n" + exitCodes,
		Example: `  decant batch submit --prefix 2026/ --include '*.pdf' --name "annual reports"
  decant batch watch ID
  decant batch retry ID`,
		RunE: func(c *cobra.Command, _ []string) error {
			return usage{errors.New("name what to do: submit, status, watch, cancel or retry")}
		},
	}
	c.AddCommand(batchSubmitCommand(), batchStatusCommand(), batchWatchCommand(),
		batchChangeCommand("cancel", "Stop a batch: what waits never starts, what runs is ended, what is done stays",
			func(ctx context.Context, s *batch.Service, id string) (batch.Head, error) {
				return s.Cancel(ctx, id, person())
			}),
		batchChangeCommand("retry", "Try the failed, cancelled and poisoned documents of a batch again",
			func(ctx context.Context, s *batch.Service, id string) (batch.Head, error) {
				return s.Retry(ctx, id, nil)
			}))
	return c
}

func batchSubmitCommand() *cobra.Command {
	var s event.BatchSubmit
	var lists string
	var asJSON bool
	c := &cobra.Command{
		Use: "submit", Short: "Submit what lies below a prefix, or the documents of a list", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := refuseZero(c, "max-tokens"); err != nil {
				return err
			}
			cloud, err := connect(c.Context())
			if err != nil {
				return err
			}
			if err := fillSubmit(&s, lists, cloud.settings.Documents); err != nil {
				return err
			}
			head, _, err := cloud.batches.Submit(c.Context(), s)
			if err != nil {
				return unreachable(err)
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), batchOf(batch.Progress{Head: head}))
			}
			fmt.Fprintln(c.OutOrStdout(), head.ID)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&s.Name, "name", "", "name, for people")
	f.StringVar(&s.Prefix, "prefix", "", "documents below this prefix")
	f.StringSliceVar(&s.Include, "include", nil, "only base names that fit one of these patterns, such as *.pdf")
	f.StringSliceVar(&s.Exclude, "exclude", nil, "no base names that fit one of these patterns")
	f.StringVar(&lists, "list", "", "file with one blob name a line, instead of a prefix; - is standard input")
	f.StringVar(&s.Key, "key", "", "the same key never makes a second batch")
	f.StringVar(&s.Priority, "priority", "bulk", "bulk, or normal: before other batches")
	f.StringVar(&s.Webhook, "webhook", "", "https address to be told when the batch ends")
	f.IntVar(&s.Options.MaxTokens, "max-tokens", 0, "hard token limit of a chunk")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// maxList bounds a list of documents, in bytes.
const maxList = 64 << 20

func fillSubmit(s *event.BatchSubmit, list, container string) error {
	if list == "" {
		s.Container = container
		return nil
	}
	in := io.Reader(os.Stdin)
	if list != "-" {
		f, err := os.Open(list)
		if err != nil {
			return statFault(list, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxList))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimSpace(line); name != "" {
			s.Documents = append(s.Documents, event.Document{Container: container, Path: name})
		}
	}
	if len(s.Documents) == 0 {
		return usage{fmt.Errorf("the list %s names no documents", list)}
	}
	return nil
}

func oneBatch(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage{errors.New("name one batch by its id")}
	}
	return nil
}

func batchStatusCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "status ID", Short: "Show how far a batch is", Args: oneBatch,
		RunE: func(c *cobra.Command, args []string) error {
			cloud, err := connect(c.Context())
			if err != nil {
				return err
			}
			p, err := cloud.batches.Find(c.Context(), args[0])
			if err != nil {
				return unreachable(err)
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), batchOf(p))
			}
			fmt.Fprintln(c.OutOrStdout(), batchLine(p))
			for _, a := range p.Recent {
				fmt.Fprintf(c.OutOrStdout(), "  %s  %s\n", a.Time.Format(time.DateTime), a.Message)
			}
			return batchExit(p)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func batchWatchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "watch ID", Short: "Follow a batch until it ends", Args: oneBatch,
		RunE: func(c *cobra.Command, args []string) error {
			cloud, err := connect(c.Context())
			if err != nil {
				return err
			}
			for last := ""; ; {
				p, err := cloud.batches.Find(c.Context(), args[0])
				if err != nil {
					return unreachable(err)
				}
				if line := batchLine(p); line != last {
					fmt.Fprintln(c.OutOrStdout(), line)
					last = line
				}
				if p.State.Terminal() {
					return batchExit(p)
				}
				if !sleep(c.Context(), time.Second) {
					return c.Context().Err()
				}
			}
		},
	}
}

func batchChangeCommand(name, short string, change func(context.Context, *batch.Service, string) (batch.Head, error)) *cobra.Command {
	return &cobra.Command{
		Use: name + " ID", Short: short, Args: oneBatch,
		RunE: func(c *cobra.Command, args []string) error {
			cloud, err := connect(c.Context())
			if err != nil {
				return err
			}
			head, err := change(c.Context(), cloud.batches, args[0])
			if err != nil {
				return unreachable(err)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is %s\n", head.ID, head.State)
			return nil
		},
	}
}

func batchLine(p batch.Progress) string {
	line := fmt.Sprintf("%s  %s  %.1f %%  %d of %d", p.ID, p.State, p.Percent(), p.Done, p.Total)
	for _, state := range slices.Sorted(maps.Keys(p.Counts)) {
		if n := p.Counts[state]; n > 0 {
			line += fmt.Sprintf("  %s %d", state, n)
		}
	}
	if !p.EstimatedEnd.IsZero() && !p.State.Terminal() {
		line += "  until " + p.EstimatedEnd.Local().Format(time.TimeOnly)
	}
	return line
}

func batchExit(p batch.Progress) error {
	if p.State.Terminal() && p.State != batch.Succeeded {
		return exit(fault.ExitSomeFailed)
	}
	return nil
}

// person is who runs this command, as the system knows them.
func person() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
