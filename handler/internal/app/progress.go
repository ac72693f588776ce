package app

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// progress shows how far a run of many documents is: a bar with counts and the current file on a terminal, plain lines elsewhere.
type progress struct {
	mu    sync.Mutex
	bar   *progressbar.ProgressBar
	w     io.Writer
	total int
	done  int
	quiet bool
}

// newProgress makes a progress display for total documents on w. Quiet shows nothing.
func newProgress(w io.Writer, total int, quiet bool) *progress {
	p := &progress{w: w, total: total, quiet: quiet}
	if !quiet && isTerminal(w) && os.Getenv("TERM") != "dumb" {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(w),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(24),
			progressbar.OptionThrottle(60*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetElapsedTime(true),
			progressbar.OptionSetPredictTime(true),
		)
	}
	return p
}

// startProgress tells what folders left out and shows the progress of a command on standard error, unless nobody wants to see them.
func startProgress(c *cobra.Command, inputs []input, left leftOut, quiet, asJSON bool) *progress {
	if !quiet {
		left.tell(c.ErrOrStderr())
	}
	return newProgress(c.ErrOrStderr(), len(inputs), quiet || asJSON)
}

// begin says that a document is being worked on.
func (p *progress) begin(name string) {
	if p.bar != nil {
		p.bar.Describe(shorten(printable(name), 36))
	}
}

// note says something about a document that is being worked on.
func (p *progress) note(name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.quiet:
	case p.bar != nil:
		p.bar.Describe(shorten(printable(name), 36) + ": " + text)
	default:
		fmt.Fprintf(p.w, "%s: %s\n", printable(name), printable(text))
	}
}

// end says that a document is finished, and how.
func (p *progress) end(name, status string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	switch {
	case p.quiet:
	case p.bar != nil:
		_ = p.bar.Add(1) // a display that fails does not stop the work
	default:
		fmt.Fprintf(p.w, "[%d/%d] %s: %s\n", p.done, p.total, printable(name), printable(status))
	}
}

// close ends the display.
func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Finish() // as above
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// shorten cuts a name in the middle to at most width characters.
func shorten(name string, width int) string {
	runes := []rune(name)
	if len(runes) <= width {
		return name
	}
	half := (width - 1) / 2
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}
