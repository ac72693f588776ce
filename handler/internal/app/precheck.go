package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"decant/handler/internal/child"
	"decant/handler/internal/config"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pool"
)

// precheckFlags are the options of `decant precheck`.
type precheckFlags struct {
	asJSON   bool
	quiet    bool
	jobs     int
	memory   string
	timeout  time.Duration
	password string
}

func precheckCommand() *cobra.Command {
	var f precheckFlags
	c := &cobra.Command{
		Use:     "precheck PATH...",
		GroupID: "convert",
		Short:   "Say which PDF files are text, scanned, encrypted or broken, without converting them",
		Long: `Look at files, and at everything in folders, and say what each is. Nothing is converted and nothing is written.

PDF files are told apart:
  text       pages have text of their own, or a scanner's
  scanned    pages are pictures without text: they need OCR
  mixed      some of both
  encrypted  a password is needed, or --password is not the right one
  broken     cannot be opened, or none of its pages can be read
  empty      no pages, or neither text nor a page-sized picture on them
Of a long document 32 pages are looked at. Files of other formats are named as what they are (class other, or unsupported).

Many files share a capped and sandboxed process. A file that crashes it, hangs or takes too much memory is "failed"
with the reason, and costs only itself. Hidden files, links to folders and results of decant are left out where they are inside
a folder.

Exit codes:
  0    every file was looked at, whatever it is
  1    decant itself failed
  2    bad usage: a wrong option, argument or setting
  3    some files could not be looked at; each is named with its reason
  130  interrupted`,
		Example: `  decant precheck archive/
  decant precheck inbox/*.pdf --jobs 4
  decant precheck archive --json | jq -r '.[] | select(.class == "scanned" or .class == "mixed") | .path'`,
		Args: func(_ *cobra.Command, args []string) error { return checkPaths(args, false) },
		RunE: func(c *cobra.Command, args []string) error { return runPrecheck(c, f, args) },
	}
	s := c.Flags()
	s.BoolVar(&f.asJSON, "json", false, "print a JSON report instead of the table")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	s.IntVarP(&f.jobs, "jobs", "j", 0, "processes at once; 0 = by cores and memory")
	s.StringVar(&f.memory, "memory", "", "memory cap of one process, such as 512MiB (default DECANT_MEMORY, 1GiB)")
	s.DurationVar(&f.timeout, "timeout", time.Minute, "time limit of one file")
	s.StringVar(&f.password, "password", "", "password to try on protected documents")
	return c
}

// apply puts the flags over the settings and checks what came out.
func (f precheckFlags) apply(c *config.Config) error {
	if f.jobs < 0 || f.timeout <= 0 {
		return usage{fmt.Errorf("--jobs must not be negative, and --timeout must be more than nothing")}
	}
	if err := (convertFlags{memory: f.memory, jobs: f.jobs, timeout: f.timeout}).applyLimits(c); err != nil {
		return err
	}
	c.Limits.NoProgress = f.timeout
	c.Options = job.Options{Password: job.Secret(f.password)}
	c.DocumentsPerProcess = filesPerProcess
	return nil
}

// filesPerProcess is how many files share a process: it takes 0.1 s to start one, and a few milliseconds to look at a file.
// smallestShare is how few files are worth a process when there are several at once.
const (
	filesPerProcess = 256
	smallestShare   = 32
)

func runPrecheck(c *cobra.Command, f precheckFlags, args []string) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if err := f.apply(&set); err != nil {
		return err
	}
	runner, err := newRunner(c.Context(), set, childSettings{Precheck: true}, nil)
	if err != nil {
		return err
	}
	defer runner.Close()
	var found finder
	inputs := found.find(args)
	names, err := os.MkdirTemp(runner.TempDir(), "names-")
	if err != nil {
		return err
	}
	run := precheck{
		settings: set, names: names, runner: runner, inputs: inputs, rows: make([]checkRow, len(inputs)),
		progress: startProgress(c, inputs, found.left, f.quiet, f.asJSON),
	}
	run.all(c.Context())
	run.progress.close()
	return run.report(c, f.asJSON)
}

// precheck is one run of `decant precheck`.
type precheck struct {
	settings config.Config
	runner   *child.Runner
	inputs   []input
	rows     []checkRow // of the inputs, in their order
	names    string     // folder of links to files whose names are no UTF-8; goes with the runner
	progress *progress
	mu       sync.Mutex
	next     int // the first input that nobody has taken
}

// all looks at every input, with several processes at once. Each takes shares of the inputs until none is left.
func (p *precheck) all(ctx context.Context) {
	workers := pool.Size(poolOptions(p.settings, false, nil), pool.Detect()).Slots
	var wait errgroup.Group
	for range workers {
		wait.Go(func() error {
			for first, last := p.take(workers); first < last; first, last = p.take(workers) {
				p.share(ctx, first, last)
			}
			return nil
		})
	}
	_ = wait.Wait() // the functions return no errors: each row has its own
}

// take gives the next share of the inputs: the same for every process, but no more than one may have and no less than is worth one.
func (p *precheck) take(workers int) (first, last int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := len(p.inputs) - p.next
	n := min(left, filesPerProcess, max(smallestShare, (left+workers-1)/workers))
	first, p.next = p.next, p.next+n
	return first, p.next
}

// share looks at the inputs from first to last in one process, or in more when some kill theirs.
func (p *precheck) share(ctx context.Context, first, last int) {
	out, err := os.MkdirTemp(p.runner.TempDir(), "precheck-") // stays empty
	if err == nil {
		defer os.RemoveAll(out)
	}
	var items []child.Item
	var places []int
	for i := first; i < last; i++ {
		failed := p.inputs[i].err
		if failed == nil {
			failed = err
		}
		path := p.inputs[i].path
		if failed == nil && !utf8.ValidString(path) {
			path, failed = otherName(path, filepath.Join(p.names, strconv.Itoa(i)))
		}
		if failed != nil {
			p.done(i, job.Result{}, failed)
			continue
		}
		items, places = append(items, child.Item{Context: ctx, Request: p.request(path, out)}), append(places, i)
	}
	if len(items) > 0 {
		p.progress.begin(p.inputs[places[0]].shown)
	}
	p.runner.ConvertBatch(items, func(i int, result job.Result, _ job.Usage, err error) {
		p.done(places[i], result, err)
		if i+1 < len(places) {
			p.progress.begin(p.inputs[places[i+1]].shown)
		}
	})
}

// otherName makes a link to a file whose name is no UTF-8: a child is told names in JSON, which cannot say that one.
func otherName(path, link string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	link += strings.ToValidUTF8(filepath.Ext(path), "")
	return link, os.Symlink(path, link)
}

func (p *precheck) request(path, out string) job.Request {
	src := job.Source{Path: filepath.ToSlash(path), Size: -1}
	return job.Request{Input: path, OutDir: out, Job: job.Job{ID: src.ID(), Source: src, Options: p.settings.Options, Limits: p.settings.Limits, Attempt: 1}}
}

func (p *precheck) done(i int, result job.Result, err error) {
	row := checkRowOf(p.inputs[i].shown, p.settings.Limits, result, err)
	p.mu.Lock()
	p.rows[i] = row
	p.mu.Unlock()
	p.progress.end(p.inputs[i].shown, row.line())
}

// report prints the table or the JSON, and gives the exit code as an error.
func (p *precheck) report(c *cobra.Command, asJSON bool) error {
	var err error
	if asJSON {
		err = printJSON(c.OutOrStdout(), p.rows)
	} else {
		err = printChecks(c.OutOrStdout(), p.rows)
	}
	if err != nil {
		return err
	}
	code := fault.ExitOK
	for _, r := range p.rows {
		if r.Fault == fault.Interrupted {
			return exit(fault.ExitInterrupted)
		}
		if r.Fault != "" {
			code = fault.ExitSomeFailed
		}
	}
	if code == fault.ExitOK {
		return nil
	}
	return exit(code)
}
