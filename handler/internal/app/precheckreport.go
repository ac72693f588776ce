package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Classes of files that were not looked at: because that failed, or because the command was interrupted before.
const (
	failedCheck      = "failed"
	interruptedCheck = "interrupted"
)

// checkRow is one file of the report. Its JSON is what `decant precheck --json` prints.
type checkRow struct {
	Path   string `json:"path"`
	Format string `json:"format,omitempty"`
	job.Check
	Fault   fault.Kind `json:"fault,omitempty"`
	Message string     `json:"message,omitempty"`
	Detail  string     `json:"detail,omitempty"`
}

func checkRowOf(path string, l job.Limits, result job.Result, err error) checkRow {
	if f := fault.From(err); f != nil {
		row := checkRow{Path: path, Check: job.Check{Class: failedCheck}, Fault: f.Kind, Message: checkWords(f, l)}
		if f.Kind == fault.Interrupted {
			row.Class = interruptedCheck
		}
		if f.Err != nil {
			row.Detail = f.Err.Error()
		}
		return row
	}
	row := checkRow{Path: path, Format: result.Format}
	if result.Check != nil {
		row.Check = *result.Check
	}
	return row
}

// checkWords are a fault's words for a precheck, which converts nothing and has limits and options of its own.
func checkWords(f *fault.Error, l job.Limits) string {
	switch f.Kind {
	case fault.Interrupted:
		return "It was not looked at: the command was interrupted."
	case fault.TooLarge:
		return fmt.Sprintf("The file is larger than the limit of %s, and was not looked at. Raise the limit (DECANT_MAX_INPUT).", humanize.IBytes(uint64(max(l.Input, 0))))
	case fault.Timeout, fault.NoProgress:
		return fmt.Sprintf("Looking at the file took longer than the limit of %s. Raise the limit (--timeout).", l.Timeout)
	case fault.Memory:
		return fmt.Sprintf("Looking at the file needed more memory than the limit of %s. Raise the limit (--memory, DECANT_MEMORY).", humanize.IBytes(uint64(max(l.Memory, 0))))
	}
	return strings.Replace(f.Message, "The conversion ", "The check ", 1)
}

// line is the row as one plain progress line.
func (r checkRow) line() string {
	switch r.Class {
	case interruptedCheck:
		return interruptedCheck
	case failedCheck:
		return fmt.Sprintf("failed (%s): %s", r.Fault, r.Message)
	case job.ClassOther:
		return r.Format
	}
	return strings.TrimSpace(r.Format + " " + r.Class)
}

// remark says what a person would want to know beside the class.
func (r checkRow) remark() string {
	switch {
	case r.Fault != "":
		return string(r.Fault)
	case r.Broken > 0 && r.Class != "broken":
		return fmt.Sprintf("%d of %d pages looked at are unreadable", r.Broken, r.Looked)
	case r.Class == "mixed":
		return fmt.Sprintf("%d of %d pages looked at have no text", r.Scanned, r.Looked)
	}
	return ""
}

func printChecks(w io.Writer, rows []checkRow) error {
	lines := [][]string{{"FILE", "FORMAT", "CLASS", "PAGES", "REMARK"}}
	for _, r := range rows {
		lines = append(lines, []string{shorten(printable(r.Path), 64), r.Format, r.Class, number(r.Pages), r.remark()})
	}
	if err := printColumns(w, lines); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Class == failedCheck {
			fmt.Fprintf(w, "\n%s: %s\n", printable(r.Path), printable(r.Message))
		}
	}
	fmt.Fprintf(w, "\n%s\n", checkSummary(rows))
	return nil
}

// checkClasses is the order in which the summary counts.
var checkClasses = []string{"text", "mixed", "scanned", "encrypted", "broken", "empty", job.ClassOther, job.ClassUnsupported, failedCheck, interruptedCheck}

func checkSummary(rows []checkRow) string {
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.Class]++
	}
	var parts []string
	for _, class := range checkClasses {
		if counts[class] > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", humanize.Comma(int64(counts[class])), class))
		}
	}
	s := english.Plural(len(rows), "file", "") + ": " + strings.Join(parts, ", ") + "."
	if n := counts["scanned"] + counts["mixed"]; n > 0 {
		s += fmt.Sprintf(" %s OCR.", english.Plural(n, "file needs", "files need"))
	}
	return s
}
