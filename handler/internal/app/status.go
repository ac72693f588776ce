package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// statusFlags are the options of `decant status`.
type statusFlags struct {
	state  string
	since  time.Duration
	limit  int
	asJSON bool
	pool   bool
	url    string
}

func statusCommand() *cobra.Command {
	var f statusFlags
	c := &cobra.Command{
		Use: "status [ID|PATH]", GroupID: "service",
		Short: "Show what became of documents",
		Long: `Show the documents of the service, the latest first; with an id or a path in the documents container, everything about one:
its attempts with their causes, memory and time.
` + exitCodes,
		Example: `  decant status
  decant status --state failed --since 24h
  decant status samples/broken-report.docx
  decant status --pool`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage{errors.New("name one document, or none")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.pool {
				return showPool(c, f.url, f.asJSON)
			}
			cloud, err := connect(c.Context())
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return showDocument(c, cloud, args[0], f.asJSON)
			}
			return listDocuments(c, cloud, f)
		},
	}
	c.Flags().StringVar(&f.state, "state", "", "only documents in this state: "+strings.Join(stateNames(), ", "))
	c.Flags().DurationVar(&f.since, "since", 0, "only documents that changed within this time, such as 24h")
	c.Flags().IntVar(&f.limit, "limit", 50, "how many at most")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&f.pool, "pool", false, "show the pool of a running handler instead: slots, waiting, memory, times, deaths")
	c.Flags().StringVar(&f.url, "url", "", "with --pool: address of the service, such as https://NAME.azurewebsites.net (key in DECANT_API_KEY); default the local one")
	return c
}

func stateNames() []string {
	var names []string
	for _, s := range ledger.States() {
		names = append(names, string(s))
	}
	return names
}

func listDocuments(c *cobra.Command, cloud *cloud, f statusFlags) error {
	if f.state != "" && !slices.Contains(stateNames(), f.state) {
		return usage{fmt.Errorf("--state %s: must be one of %s", f.state, strings.Join(stateNames(), ", "))}
	}
	q := ledger.Query{State: ledger.State(f.state), Limit: f.limit, Kept: true}
	if f.since > 0 {
		q.Since = time.Now().Add(-f.since)
	}
	page, err := cloud.ledger.List(c.Context(), q)
	if err != nil {
		return unreachable(err)
	}
	if f.asJSON {
		return printJSON(c.OutOrStdout(), page.Records)
	}
	rows := make([]row, len(page.Records))
	for i, r := range page.Records {
		rows[i] = recordRow(r)
	}
	if err := printTable(c.OutOrStdout(), rows); err != nil {
		return err
	}
	if page.Next != "" {
		fmt.Fprintf(c.OutOrStdout(), "\nThere are more; raise --limit, or narrow down with --state and --since.\n")
	}
	return nil
}

func showDocument(c *cobra.Command, cloud *cloud, name string, asJSON bool) error {
	r, err := cloud.find(c.Context(), name)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), documentOf(r))
	}
	printRecord(c.OutOrStdout(), r)
	return nil
}

// find reads a record by its id, or by its path in the documents container.
func (c *cloud) find(ctx context.Context, name string) (ledger.Record, error) {
	r, err := c.ledger.Find(ctx, job.ID(name))
	if fault.KindOf(err) == fault.NotFound {
		src := job.Source{Account: c.blobs.Account(), Container: c.settings.Documents, Path: name}
		r, err = c.ledger.Find(ctx, src.ID())
	}
	if fault.KindOf(err) == fault.NotFound {
		return r, fault.Newf(fault.NotFound, "There is no document %s. decant status lists them.", name)
	}
	return r, unreachable(err)
}

func printRecord(w io.Writer, r ledger.Record) {
	fmt.Fprintf(w, "%s\n  id         %s\n  state      %s\n", r.Source.Path, r.DocumentID, r.State)
	if r.Cause != nil {
		fmt.Fprintf(w, "  cause      %s: %s\n", r.Cause.Kind, r.Cause.Message)
	}
	if r.Format != "" {
		fmt.Fprintf(w, "  format     %s %s\n", r.Format, pages(r.Counts))
		fmt.Fprintf(w, "  chunks     %d\n", r.Counts.Chunks)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "  warning    %s (%d)\n", warning.Class, warning.Count)
	}
	for _, a := range r.Attempts {
		fmt.Fprintf(w, "  attempt %d  %s", a.Number, a.Outcome)
		if a.Kind != "" {
			fmt.Fprintf(w, " (%s)", a.Kind)
		}
		fmt.Fprintf(w, ", %s, %s", seconds(a.Seconds), memory(a.PeakMemory))
		if a.Stage != "" {
			fmt.Fprintf(w, ", last seen at %s %s", a.Stage, number(a.Page))
		}
		fmt.Fprintln(w)
		if a.Stderr != "" {
			fmt.Fprintf(w, "%s\n", indent(a.Stderr, "    | "))
		}
	}
}

func indent(text, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+prefix)
}
