package app

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// row is one document of the report. Its JSON is what `decant convert --json` prints.
type row struct {
	Path       string        `json:"path"` // as it was named; a blob's name where the service converts
	DocumentID job.ID        `json:"documentId,omitempty"`
	Status     string        `json:"status"` // converted, unchanged, empty, failed, interrupted
	Results    string        `json:"results,omitempty"`
	Format     string        `json:"format,omitempty"`
	Title      string        `json:"title,omitempty"`
	Language   string        `json:"language,omitempty"`
	Counts     job.Counts    `json:"counts"`
	Warnings   []job.Warning `json:"warnings,omitempty"`
	Seconds    float64       `json:"seconds"`
	PeakMemory int64         `json:"peakMemory"` // bytes
	Fault      fault.Kind    `json:"fault,omitempty"`
	Message    string        `json:"message,omitempty"`
	Detail     string        `json:"detail,omitempty"`
}

// rowOf makes the report's row of what the journey said.
func rowOf(path string, r ledger.Record, err error) row {
	out := row{
		Path: path, DocumentID: r.DocumentID, Format: r.Format, Title: r.Title, Language: r.Language, Counts: r.Counts, Warnings: r.Warnings,
	}
	if n := len(r.Attempts); n > 0 {
		out.Seconds, out.PeakMemory = r.Attempts[n-1].Seconds, r.Attempts[n-1].PeakMemory
	}
	switch f := fault.From(err); {
	case f == nil:
		out.Status = "converted"
	case f.Kind == fault.Duplicate && r.State == ledger.Succeeded:
		out.Status, out.Seconds, out.PeakMemory = "unchanged", 0, 0
	case f.Kind == fault.Duplicate && r.State == ledger.Empty:
		out.Status, out.Seconds, out.PeakMemory = "empty", 0, 0
	case f.Kind == fault.Duplicate && r.Cause != nil && r.Cause.Kind == fault.Encrypted:
		// The record may speak of a password that an earlier command gave; one that gives a password tries it.
		out.failedBefore(r.Cause.Kind, fault.New(fault.Encrypted, "", nil).Message)
	case f.Kind == fault.Duplicate && r.Cause != nil:
		out.failedBefore(r.Cause.Kind, r.Cause.Message)
	case f.Kind == fault.Duplicate && r.State == ledger.Running:
		out.Status, out.Fault, out.Message = "failed", f.Kind, elsewhere(r)
	case f.Kind == fault.Interrupted:
		out.Status, out.Fault, out.Message = "interrupted", f.Kind, f.Message
	default:
		out.Status, out.Fault, out.Message = "failed", f.Kind, f.Message
		if f.Err != nil {
			out.Detail = f.Err.Error()
		}
	}
	if r.State == ledger.Empty && out.Status == "converted" {
		out.Status = "empty"
	}
	return out
}

// failedBefore makes the row one of a document that failed in an earlier run, which this one did not try again.
func (r *row) failedBefore(kind fault.Kind, message string) {
	r.Status, r.Fault, r.Seconds, r.PeakMemory = "failed", kind, 0, 0
	r.Message = strings.TrimSpace(message + " It was not tried again, as it has not changed since it failed; --again tries it.")
}

// elsewhere says why a document that runs in another process is not converted: that one lives, or was killed and left its lease.
func elsewhere(r ledger.Record) string {
	s := "Another decant is converting this document into the same folder, or was killed while it did. Convert it again when that one has ended"
	if r.Lease == nil {
		return s + "."
	}
	return fmt.Sprintf("%s, or after %s if it was killed.", s, r.Lease.Expires.Local().Format(time.TimeOnly))
}

// line is the row as one plain progress line.
func (r row) line() string {
	switch r.Status {
	case "failed":
		return fmt.Sprintf("failed (%s): %s", r.Fault, r.Message)
	case "converted":
		parts := []string{r.Format, english.Plural(r.Counts.Chunks, "chunk", ""), seconds(r.Seconds)}
		if r.Counts.Chunks == 0 {
			parts = slices.Delete(parts, 1, 2) // none were asked for
		}
		return strings.Join(parts, ", ")
	}
	return r.Status
}

// report prints the table or the JSON, and gives the exit code as an error.
func (r *conversion) report(c *cobra.Command, rows []row) error {
	for i := range rows {
		if rows[i].Status == "converted" || rows[i].Status == "unchanged" || rows[i].Status == "empty" {
			rows[i].Results = r.sink.Dir(job.Source{Path: r.inputs[i].name})
		}
	}
	var err error
	switch {
	case r.flags.asJSON:
		err = printJSON(c.OutOrStdout(), rows)
	case r.toStandardOutput():
		err = r.printMarkdown(c.OutOrStdout(), c.ErrOrStderr(), rows)
	default:
		err = printTable(c.OutOrStdout(), rows)
		printSummary(c.OutOrStdout(), rows, r.flags.out)
	}
	if err != nil {
		return err
	}
	return exitOf(rows)
}

// toStandardOutput is true for `decant convert - --format md`: the result goes where it is expected in a pipe.
func (r *conversion) toStandardOutput() bool {
	return len(r.inputs) == 1 && len(r.flags.formats) == 1 && r.flags.formats[0] == "md" && r.inputs[0].pipe
}

func (r *conversion) printMarkdown(out, errs io.Writer, rows []row) error {
	if rows[0].Results == "" {
		fmt.Fprintf(errs, "decant: %s\n", rows[0].Message)
		return nil
	}
	f, err := os.Open(filepath.Join(rows[0].Results, job.MarkdownFile))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(out, f)
	return err
}

// exitOf gives the exit code: the gravest of the rows'.
func exitOf(rows []row) error {
	code := fault.ExitOK
	for _, r := range rows {
		switch {
		case r.Status == "interrupted":
			return exit(fault.ExitInterrupted)
		case r.Status == "failed":
			if c := fault.Lookup(r.Fault).Exit; c == fault.ExitStorage || code == fault.ExitOK {
				code = c
			}
			if code != fault.ExitStorage {
				code = fault.ExitSomeFailed
			}
		}
	}
	if code == fault.ExitOK {
		return nil
	}
	return exit(code)
}

func printTable(w io.Writer, rows []row) error {
	lines := [][]string{{"FILE", "FORMAT", "PAGES", "CHUNKS", "WARNINGS", "SECONDS", "MEMORY", "STATUS"}}
	for _, r := range rows {
		lines = append(lines, []string{
			shorten(printable(r.Path), 48), r.Format, pages(r.Counts), number(r.Counts.Chunks), number(warningCount(r.Warnings)),
			seconds(r.Seconds), memory(r.PeakMemory), status(r),
		})
	}
	if err := printColumns(w, lines); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Status == "failed" {
			fmt.Fprintf(w, "\n%s: %s\n", printable(r.Path), printable(r.Message))
		}
	}
	return nil
}

func printSummary(w io.Writer, rows []row, out string) {
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.Status]++
	}
	var parts []string
	for _, s := range []string{"converted", "unchanged", "empty", "failed", "interrupted"} {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	fmt.Fprintf(w, "\n%s.", strings.Join(parts, ", "))
	if counts["converted"]+counts["unchanged"]+counts["empty"] > 0 {
		fmt.Fprintf(w, " Results are in %s", out)
	}
	fmt.Fprintln(w)
}

func status(r row) string {
	if r.Status == "failed" {
		return "failed: " + string(r.Fault)
	}
	return r.Status
}

// pages is the count of whatever the format is counted in.
func pages(c job.Counts) string {
	switch {
	case c.Pages > 0:
		return number(c.Pages)
	case c.Sheets > 0:
		return english.Plural(c.Sheets, "sheet", "")
	case c.Slides > 0:
		return english.Plural(c.Slides, "slide", "")
	}
	return ""
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return humanize.Comma(int64(n))
}

func seconds(s float64) string {
	if s == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f s", (time.Duration(s * float64(time.Second))).Seconds())
}

func memory(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d MiB", n/job.MiB)
}

func warningCount(warnings []job.Warning) int {
	n := 0
	for _, w := range warnings {
		n += w.Count
	}
	return n
}
