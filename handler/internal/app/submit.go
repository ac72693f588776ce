package app

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/config"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// submitFlags are the options of `decant submit`.
type submitFlags struct {
	prefix  string
	wait    bool
	timeout time.Duration
	asJSON  bool
}

func submitCommand() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use: "submit FILE...", GroupID: "service",
		Short: "Upload files for conversion by the service",
		Long: `Upload files and folders into the documents container. In Azure, Event Grid then puts an event on the queue; where there is none
(emulators), submit puts the same event there. With --wait it stays until every document has ended and prints what became of it.
` + exitCodes,
		Example: `  decant submit report.pdf letters/
  decant submit --wait --prefix 2026/november *.docx`,
		Args: func(_ *cobra.Command, args []string) error { return checkPaths(args, false) },
		RunE: func(c *cobra.Command, args []string) error { return runSubmit(c, f, args) },
	}
	c.Flags().StringVar(&f.prefix, "prefix", "", "folder in the container")
	c.Flags().BoolVarP(&f.wait, "wait", "w", false, "wait until every document has ended")
	c.Flags().DurationVar(&f.timeout, "timeout", 30*time.Minute, "longest wait")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print as JSON")
	return c
}

// connect opens storage and ledger as the settings say, else as a running `decant local` says.
func connect(ctx context.Context) (*cloud, error) {
	set, err := settings()
	if err != nil {
		return nil, err
	}
	if !set.Azure.Enabled() {
		if r, ok := findRunning(set.Home); ok {
			set.Azure.Storage, set.Azure.Cosmos = job.Secret(r.Storage), job.Secret(r.Cosmos)
		}
	}
	cloud, err := openCloud(set)
	if err != nil {
		return nil, err
	}
	return cloud, unreachable(cloud.prepare(ctx))
}

func runSubmit(c *cobra.Command, f submitFlags, args []string) error {
	ctx := c.Context()
	cloud, err := connect(ctx)
	if err != nil {
		return err
	}
	set, err := settings()
	if err != nil {
		return err
	}
	var rows []row
	var found finder
	inputs := found.find(args)
	found.left.tell(c.ErrOrStderr())
	for _, in := range inputs {
		rows = append(rows, cloud.submit(ctx, in, f, set))
	}
	if f.wait {
		rows = cloud.await(ctx, rows, f.timeout)
	}
	if f.asJSON {
		err = printJSON(c.OutOrStdout(), rows)
	} else {
		err = printTable(c.OutOrStdout(), rows)
	}
	if err != nil {
		return err
	}
	return exitOf(rows)
}

// submit uploads one file and makes sure that an event for it reaches the queue.
func (c *cloud) submit(ctx context.Context, in input, f submitFlags, set config.Config) row {
	if in.err != nil {
		return rowOf(in.shown, ledger.Record{}, in.err)
	}
	name := path.Join(f.prefix, filepath.ToSlash(in.name))
	src, err := c.upload(ctx, in, name)
	if err == nil && c.enqueues(set) {
		err = c.announce(ctx, src)
	}
	if err != nil {
		return rowOf(name, ledger.Record{}, unreachable(err))
	}
	return row{Path: name, DocumentID: src.ID(), Status: "submitted"}
}

func (c *cloud) upload(ctx context.Context, in input, name string) (job.Source, error) {
	file, err := os.Open(in.path)
	if err != nil {
		return job.Source{}, statFault(in.path, err)
	}
	defer file.Close()
	src := job.Source{Account: c.blobs.Account(), Container: c.settings.Documents, Path: name, Size: -1}
	return c.files.Upload(ctx, src, file)
}

// enqueues tells whether submit has to play Event Grid.
func (c *cloud) enqueues(set config.Config) bool {
	if set.Azure.Enqueue != "auto" {
		return set.Azure.Enqueue == "always"
	}
	// A running `decant local` watches the container itself.
	_, watched := findRunning(set.Home)
	return c.isEmulator() && !watched
}

// await looks at the records until every submitted document has ended.
func (c *cloud) await(ctx context.Context, rows []row, timeout time.Duration) []row {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for i := range rows {
		for rows[i].Status == "submitted" {
			r, err := c.ledger.Load(ctx, rows[i].DocumentID)
			switch {
			case err == nil && r.State.Terminal():
				rows[i] = recordRow(r)
			case err != nil && fault.KindOf(err) != fault.NotFound:
				rows[i] = rowOf(rows[i].Path, r, unreachable(err))
			default:
				if !sleep(ctx, 200*time.Millisecond) {
					rows[i].Status, rows[i].Fault, rows[i].Message = "failed", fault.Timeout, "The document has not ended yet. Ask again with decant status."
				}
			}
		}
	}
	return rows
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// recordRow is a record as a row of a report.
func recordRow(r ledger.Record) row {
	out := rowOf(r.Source.Path, r, nil)
	out.Status = string(r.State)
	if r.Cause != nil && r.State.Terminal() && !r.State.Readable() {
		out.Status, out.Fault, out.Message = "failed", r.Cause.Kind, r.Cause.Message
	}
	return out
}
