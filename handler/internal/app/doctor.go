package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/azure/queue"
	"decant/handler/internal/config"
	"decant/handler/internal/doctor"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

func doctorCommand() *cobra.Command {
	var asJSON, allocate bool
	c := &cobra.Command{
		Use: "doctor", GroupID: "service", Args: noArguments,
		Short: "Try everything that decant needs and say what to do about what does not work",
		Long: `Try settings, folders, sandbox, memory cap, containers, queues with their encoding, ledger and clock, on scratch names.
With storage of Azure it uses the identity that AZURE_TOKEN_CREDENTIALS chooses (dev: the person who ran az login; in the app: the
app's own), so it shows whether the roles are there. It leaves only the empty queue ` + doctor.ScratchQueue + ` behind.
Exit code 3 when something does not work.
` + exitCodes,
		RunE: func(c *cobra.Command, _ []string) error {
			if allocate {
				doctor.Allocate(c.OutOrStdout())
				return nil
			}
			return runDoctor(c, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&allocate, "allocate", false, "be the process that must not get more memory than its cap")
	_ = c.Flags().MarkHidden("allocate")
	return c
}

func runDoctor(c *cobra.Command, asJSON bool) error {
	set, err := settings()
	if err != nil {
		return err
	}
	findings := doctor.Run(c.Context(), checks(c.Context(), set))
	if asJSON {
		err = printJSON(c.OutOrStdout(), findings)
	} else {
		printFindings(c.OutOrStdout(), findings)
	}
	if err == nil && doctor.Worst(findings) == doctor.Failed {
		err = exit(fault.ExitSomeFailed)
	}
	return err
}

func printFindings(w io.Writer, findings []doctor.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "%-8s %-32s %s\n", f.Level, f.Check, f.Text)
		if f.Do != "" {
			fmt.Fprintf(w, "%-8s %-32s → %s\n", "", "", f.Do)
		}
	}
}

// checks are those that make sense with these settings.
func checks(ctx context.Context, set config.Config) []doctor.Check {
	list := []doctor.Check{doctor.Settings(os.Getenv)}
	list = append(list, machineChecks(ctx, set)...)
	if !set.Azure.Enabled() {
		if r, ok := findRunning(set.Home); ok {
			set.Azure.Storage, set.Azure.Cosmos = job.Secret(r.Storage), job.Secret(r.Cosmos)
		}
	}
	cloud, err := openCloud(set)
	if err == nil {
		err = cloud.prepare(ctx)
	}
	if err != nil {
		return append(list, doctor.Check{Name: "storage", Run: func(context.Context) doctor.Finding {
			return doctor.Finding{Level: doctor.Skipped, Text: err.Error()}
		}})
	}
	return append(list, cloud.checks()...)
}

func machineChecks(ctx context.Context, set config.Config) []doctor.Check {
	var list []doctor.Check
	if cache, err := pdfCache(set); err == nil {
		list = append(list, doctor.Scratch(set.Home, cache))
	}
	if self, err := os.Executable(); err == nil {
		list = append(list, doctor.MemoryCap([]string{self, "doctor", "--allocate"}))
	}
	list = append(list, converterChecks(set)...)
	return append(list, doctor.Locks(set.Sandbox == "require", func(ctx context.Context) (held, missing []string) {
		workers, err := newWorkers(ctx, set, false, slog.New(slog.DiscardHandler))
		if err != nil {
			return nil, []string{err.Error()}
		}
		defer workers.Close()
		report := workers.runner.Locks(ctx)
		if report.Error != "" {
			report.Missing = append(report.Missing, report.Error)
		}
		return report.Held, report.Missing
	}))
}

// checks of storage, queues and ledger.
func (c *cloud) checks() []doctor.Check {
	a, queues := c.settings, doctorQueues{c.queues}
	list := []doctor.Check{doctor.QueueRoles(queues, time.Now), doctor.Ledger(c.ledger.Store(), time.Now)}
	for _, name := range []string{a.Documents, a.Converted, a.DeadLetter} {
		if name == a.Documents {
			// A scratch blob here would start a conversion.
			list = append(list, doctor.Listable(name, c.blobs.Letters(name)))
			continue
		}
		list = append(list, doctor.Blobs(name, c.blobs.Letters(name)))
	}
	for _, name := range []string{a.Conversions, a.ConversionsBulk, a.Completed} {
		list = append(list, doctor.Queue(queues, name, false, time.Now))
	}
	for _, name := range []string{a.Conversions, a.ConversionsBulk} {
		list = append(list, doctor.Queue(queues, name+poisonSuffix, true, time.Now))
	}
	return list
}

// watched are the queues whose age is logged.
func (c *cloud) watched() []string {
	a := c.settings
	return []string{a.Conversions, a.ConversionsBulk, a.Conversions + poisonSuffix, a.ConversionsBulk + poisonSuffix}
}

// doctorQueues shows azure/queue as doctor sees queues.
type doctorQueues struct{ *queue.Client }

func (q doctorQueues) Receive(ctx context.Context, name string, count int, hide time.Duration) ([]doctor.Message, error) {
	list, err := q.Client.Receive(ctx, name, count, hide)
	return doctorMessages(list), err
}

func (q doctorQueues) Peek(ctx context.Context, name string) ([]doctor.Message, error) {
	list, err := q.Client.Peek(ctx, name)
	return doctorMessages(list), err
}

func doctorMessages(list []queue.Message) []doctor.Message {
	out := make([]doctor.Message, 0, len(list))
	for _, m := range list {
		out = append(out, doctor.Message{ID: m.ID, Receipt: m.Receipt, Text: m.Text, Inserted: m.Inserted})
	}
	return out
}
