package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"decant/handler/internal/child"
	"decant/handler/internal/config"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/local"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/pool"
	"decant/handler/internal/token"
)

// convertFlags are the options of `decant convert`.
type convertFlags struct {
	out        string
	formats    []string
	preview    bool
	layout     bool
	name       string
	asJSON     bool
	quiet      bool
	again      bool
	jobs       int
	memory     string
	timeout    time.Duration
	maxSize    string
	maxOutput  string
	maxPages   int
	password   string
	converters string
	noOverlap  bool // asked for, whatever the settings say
	options    job.Options
}

func convertCommand() *cobra.Command {
	var f convertFlags
	c := &cobra.Command{
		Use:     "convert PATH...",
		GroupID: "convert",
		Short:   "Convert files and folders; - reads standard input",
		Long: `Convert files, and everything in folders, into Markdown, document.json and chunks.

Each document is converted in a process of its own with capped memory and time. Its results are in a folder of its name below --out:
document.md, document.json, chunks.jsonl, images/ and manifest.json (written last: no manifest, no result).
Markdown of standard input alone (- --format md) goes to standard output, and to no folder unless --out names one.
Hidden files and links to folders are left out where they are inside a folder, and counted; so is the folder of the results,
and any other folder below that holds results of decant, unless it is named itself.
A document that has not changed since it was converted with the same options is not converted again; --again does it anyway.
Several commands may share a folder of results: a document that another one is converting is waited for.
Of two that ask for other results of the same document, those of the later one stay.
` + exitCodes,
		Example: `  decant convert report.pdf
  decant convert docs/ letters/*.docx --out results --jobs 4
  decant convert --max-tokens 256 --format chunks handbook.docx
  decant convert secret.pdf --password "$PASSWORD"
  cat page.html | decant convert - --format md > page.md
  decant convert --preview report.pdf
  decant convert --debug-layout report.pdf
  decant convert docs --json | jq '.[] | select(.status == "failed")'`,
		Args: func(_ *cobra.Command, args []string) error {
			if first := slices.Index(args, "-"); first >= 0 && slices.Contains(args[first+1:], "-") {
				return usage{fmt.Errorf("- is standard input, and can be named once only")}
			}
			return checkPaths(args, true)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := refuseZero(c, "max-tokens", "timeout", "max-pages"); err != nil {
				return err
			}
			f.noOverlap = c.Flags().Changed("overlap") && f.options.Overlap == 0
			return runConvert(c, f, args)
		},
	}
	addConvertFlags(c, &f)
	completeWords(c)
	return c
}

// completeWords lets the shell complete the options that are words.
func completeWords(c *cobra.Command) {
	words := map[string][]string{"format": job.OutputNames(), "tokenizer": token.Names()}
	for _, choice := range job.Choices() {
		words[flagName(choice.Name)] = choice.Words
	}
	for flag, list := range words {
		if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveDefault)); err != nil {
			panic("app: internal error: " + err.Error())
		}
	}
}

func addConvertFlags(c *cobra.Command, f *convertFlags) {
	s := c.Flags()
	s.StringVarP(&f.out, "out", "o", "out", "folder of the results")
	s.StringSliceVarP(&f.formats, "format", "f", job.DefaultOutputs(), "results to write: "+strings.Join(job.OutputNames(), ", "))
	s.BoolVar(&f.preview, "preview", false, "write preview.html as well: the chunks, and where they come from, in one web page")
	s.BoolVar(&f.layout, "debug-layout", false, "write layout.html as well: what was found on each page of a PDF, drawn on its picture")
	s.StringVar(&f.name, "name", "", "name of the document on standard input, for its format and its results")
	s.BoolVar(&f.asJSON, "json", false, "print a JSON report instead of the table")
	s.BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	s.BoolVar(&f.again, "again", false, "convert again what has not changed or has failed")
	s.IntVarP(&f.jobs, "jobs", "j", 0, "documents at once; 0 = by cores and memory")
	s.StringVar(&f.memory, "memory", "", "memory cap of one conversion, such as 512MiB (default DECANT_MEMORY, 1GiB)")
	s.DurationVar(&f.timeout, "timeout", 0, "time limit of one conversion (default DECANT_TIMEOUT, 10m)")
	s.StringVar(&f.maxSize, "max-size", "", "largest document (default DECANT_MAX_INPUT, 2GiB)")
	s.StringVar(&f.maxOutput, "max-output", "", "largest result, all files together (default DECANT_MAX_OUTPUT, 1GiB or 32 times the document)")
	s.IntVar(&f.maxPages, "max-pages", 0, "most pages, slides or sheets (default DECANT_MAX_PAGES, 10000)")
	s.StringVar(&f.converters, "converters", "", "JSON file of outside converters (default DECANT_CONVERTERS)")
	s.StringVar(&f.password, "password", "", "password of protected documents")
	s.IntVar(&f.options.MaxTokens, "max-tokens", 0, "hard token limit of a chunk (default DECANT_MAX_TOKENS, 512)")
	s.IntVar(&f.options.Overlap, "overlap", 0, "tokens of the chunk before that are repeated")
	s.StringVar(&f.options.Tokenizer, "tokenizer", "", "o200k_base, cl100k_base, characters, words, or a tokenizer.json")
	s.StringVar(&f.options.Strategy, "strategy", "", "hybrid, hierarchical, page, section, fixed")
	s.BoolVar(&f.options.NoMerge, "no-merge-peers", false, "keep small neighbours under one heading in chunks of their own")
	s.StringVar(&f.options.TableFormat, "table-format", "", "tables in chunks: markdown, html, rows")
	s.StringVar(&f.options.Hidden, "hidden", "", "hidden content: exclude, include")
	s.StringVar(&f.options.Revisions, "revisions", "", "tracked changes: accepted, original, marked")
	s.StringVar(&f.options.Furniture, "furniture", "", "running headers and footers: drop, keep")
	s.StringVar(&f.options.Comments, "comments", "", "comments: exclude, include")
	s.StringVar(&f.options.HTML, "html", "", "web pages: full, main")
	s.StringVar(&f.options.Images, "images", "", "pictures: files, none")
	s.StringVar(&f.options.Attachments, "attachments", "", "documents inside documents: convert, list")
}

// apply puts the flags over the settings and checks what came out.
func (f convertFlags) apply(c *config.Config) error {
	if f.out == "" {
		return usage{errors.New("--out is empty; name a folder for the results")}
	}
	if len(f.formats) == 0 {
		return usage{fmt.Errorf("--format is empty; name one of %s, or several separated by commas", strings.Join(job.OutputNames(), ", "))}
	}
	for _, name := range f.formats {
		if names := job.OutputNames(); !slices.Contains(names, name) {
			return usage{fmt.Errorf("--format %s: must be one of %s, or several separated by commas", name, strings.Join(names, ", "))}
		}
	}
	if choice, word, found := f.options.Unknown(); found {
		return usage{fmt.Errorf("--%s %s: must be one of %s", flagName(choice.Name), word, strings.Join(choice.Words, ", "))}
	}
	inherit(&f.converters, c.Converters)
	c.Converters = f.converters
	options := f.options
	options.Outputs = f.formats
	for _, page := range []struct {
		output string
		wanted bool
	}{{"layout", f.layout}, {"preview", f.preview}} {
		if page.wanted && !slices.Contains(options.Outputs, page.output) {
			options.Outputs = append(slices.Clone(options.Outputs), page.output)
		}
	}
	options.Password = job.Secret(f.password)
	inherit(&options.MaxTokens, c.Options.MaxTokens)
	if !f.noOverlap {
		inherit(&options.Overlap, c.Options.Overlap)
	}
	inherit(&options.Tokenizer, c.Options.Tokenizer)
	inherit(&options.Strategy, c.Options.Strategy)
	options.Tokenizer = tokenizerPath(options.Tokenizer)
	if f.options.Tokenizer != "" {
		if _, err := token.New(options.Tokenizer); err != nil {
			return usage{fmt.Errorf("--tokenizer %s: %w", f.options.Tokenizer, err)}
		}
	}
	c.Options = options
	if options.MaxTokens < job.LeastTokens || options.Overlap < 0 || options.Overlap >= options.MaxTokens {
		return usage{fmt.Errorf("--max-tokens %d --overlap %d: the limit must be 8 or more, and the overlap less than the limit", options.MaxTokens, options.Overlap)}
	}
	return f.applyLimits(c)
}

// refuseZero refuses options that were given as nothing: left out, they are what the settings say.
func refuseZero(c *cobra.Command, names ...string) error {
	for _, name := range names {
		f := c.Flags().Lookup(name)
		if f.Changed && f.Value.String() == f.DefValue {
			return usage{fmt.Errorf("--%s %s: must be more than nothing; leave the option out to have the default", name, f.Value)}
		}
	}
	return nil
}

// tokenizerPath makes a tokenizer that is a file absolute: a child has a working directory of its own.
func tokenizerPath(name string) string {
	if !strings.HasSuffix(name, ".json") && !strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

func (f convertFlags) applyLimits(c *config.Config) error {
	sizes := []struct {
		flag, text string
		field      *int64
	}{{"memory", f.memory, &c.Limits.Memory}, {"max-size", f.maxSize, &c.Limits.Input}, {"max-output", f.maxOutput, &c.Limits.Output}}
	for _, s := range sizes {
		if s.text == "" {
			continue
		}
		n, err := config.ParseSize(s.text)
		if err != nil || n <= 0 {
			return usage{fmt.Errorf("--%s %s: must be a size such as 512MiB or 2GB", s.flag, s.text)}
		}
		*s.field = n
	}
	if f.memory != "" && c.Limits.Memory < child.MinMemory {
		return usage{fmt.Errorf("--memory %s: a conversion needs at least %d MiB to start", f.memory, child.MinMemory/job.MiB)}
	}
	if f.jobs < 0 || f.timeout < 0 || f.maxPages < 0 {
		return usage{fmt.Errorf("--jobs, --timeout and --max-pages must not be negative")}
	}
	inherit(&f.timeout, c.Limits.Timeout)
	inherit(&f.maxPages, c.Limits.Pages)
	inherit(&f.jobs, c.Jobs)
	c.Limits.Timeout, c.Limits.Pages, c.Jobs = f.timeout, f.maxPages, f.jobs
	return nil
}

// inherit keeps a value that is set, else takes the other one.
func inherit[T comparable](value *T, other T) {
	var zero T
	if *value == zero {
		*value = other
	}
}

// flagName writes the name of an option as flags are written: tableFormat, table-format.
func flagName(option string) string {
	var b strings.Builder
	for _, r := range option {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// conversion is one run of `decant convert`.
type conversion struct {
	flags    convertFlags
	settings config.Config
	inputs   []input
	left     leftOut
	byName   map[string]input // by result name
	workers  *workers
	journey  *pipeline.Pipeline
	sink     *local.Sink
	progress *progress
}

func runConvert(c *cobra.Command, f convertFlags, args []string) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if err := f.apply(&set); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "decant-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	run := conversion{flags: f, settings: set, byName: map[string]input{}}
	if run.inputs, err = run.gather(args, c.InOrStdin(), temp); err != nil {
		return err
	}
	if run.toStandardOutput() && !c.Flags().Changed("out") {
		run.flags.out = filepath.Join(temp, "results") // a pipe leaves nothing behind
	}
	if err := run.open(c.Context()); err != nil {
		return err
	}
	defer run.sink.Close()
	defer run.workers.Close()
	run.progress = startProgress(c, run.inputs, run.left, f.quiet, f.asJSON)
	rows := run.convertAll(c.Context())
	run.progress.close()
	return run.report(c, rows)
}

// gather lists the documents and takes standard input to a file.
func (r *conversion) gather(args []string, stdin io.Reader, temp string) ([]input, error) {
	var files []string
	var inputs []input
	for _, arg := range args {
		if arg != "-" {
			files = append(files, arg)
			continue
		}
		name, path := r.flags.name, filepath.Join(temp, standardInput)
		inherit(&name, standardInput)
		err := spool(stdin, path, r.settings.Limits.Input)
		inputs = append(inputs, input{path: path, shown: name, name: resultName(name), pipe: true, err: err})
	}
	for _, arg := range files {
		if sameFolder(arg, r.flags.out) {
			return nil, usage{fmt.Errorf("--out %s is the folder that is to be converted: the next run would convert its results; choose another folder", r.flags.out)}
		}
	}
	found := finder{out: r.flags.out, stdin: true}
	inputs = append(inputs, found.find(files)...)
	r.left = found.left
	refuseTaken(inputs, r.flags.out)
	for _, in := range inputs {
		r.byName[in.name] = in
	}
	return inputs, nil
}

// open builds the journey on the embedded store: results in the out folder, records below it.
func (r *conversion) open(ctx context.Context) error {
	var err error
	if r.workers, err = newWorkers(ctx, r.settings, false, nil); err != nil {
		return err
	}
	if err := os.MkdirAll(r.flags.out, 0o755); err != nil {
		return fault.New(fault.Storage, fmt.Sprintf("The results folder %s cannot be made. Choose another one with --out.", r.flags.out), err)
	}
	r.sink = local.NewSink(r.flags.out)
	if err := r.sink.Writable(); err != nil {
		return err
	}
	r.journey = pipeline.New(pipeline.Ports{
		Ledger:    ledger.New(local.NewStore(filepath.Join(r.flags.out, ".decant", "records")), ledger.Options{Version: r.workers.version, Lease: localLease}),
		Fetcher:   local.NewFiles(func(s job.Source) string { return r.byName[s.Path].path }),
		Converter: r.workers,
		Sink:      r.sink,
		Cache:     local.NewCache(filepath.Join(r.flags.out, ".decant", "cache")),
	}, pipeline.Options{
		TempDir: r.workers.runner.TempDir(), Reuse: true, Shared: r.settings.DocumentsPerProcess > 1, Again: r.flags.password != "", Redo: r.flags.again, Outwait: r.outwait(),
		Waiting: func(j job.Job, _ ledger.Record) {
			r.progress.note(r.byName[j.Source.Path].shown, fmt.Sprintf("another decant converts it into the same folder; waiting for that, %s at most", r.outwait()))
		},
	})
	return nil
}

// localLease is how long a command that was killed keeps its documents from the next one; a living one renews it all the time.
const localLease = 15 * time.Second

// outwait is how long a document that another command converts into the same folder is waited for: that one has its own time limit.
func (r *conversion) outwait() time.Duration { return r.settings.Limits.Timeout + localLease }

// convertAll converts the inputs, several at once, and gives a row for each in their order.
func (r *conversion) convertAll(ctx context.Context) []row {
	rows := make([]row, len(r.inputs))
	var wait errgroup.Group
	wait.SetLimit(atOnce(r.workers.Sizing(), r.settings.DocumentsPerProcess))
	var mu sync.Mutex
	for i, in := range r.inputs {
		wait.Go(func() error {
			r.progress.begin(in.shown)
			row := r.convertOne(ctx, in)
			mu.Lock()
			rows[i] = row
			mu.Unlock()
			r.progress.end(in.shown, row.line())
			return nil
		})
	}
	_ = wait.Wait() // the functions return no errors: each row has its own
	return rows
}

// mostAhead is how many documents are fetched ahead for each process that converts several: each has its place on the disk and its
// claim in the ledger meanwhile.
const mostAhead = 24

// atOnce is how many documents are under way: one in each slot, as many more as may share its process, and one that is being fetched.
func atOnce(s pool.Sizing, perProcess int) int {
	return min(s.Slots*min(max(1, perProcess), mostAhead)+1, s.Slots+s.Waiting)
}

func (r *conversion) convertOne(ctx context.Context, in input) row {
	if in.err == nil && ctx.Err() != nil {
		in.err = fault.New(fault.Interrupted, "", ctx.Err())
	}
	if in.err != nil {
		return rowOf(in.shown, ledger.Record{}, in.err)
	}
	src := job.Source{Path: in.name, Size: -1}
	record, err := r.journey.Handle(ctx, job.Job{ID: src.ID(), Source: src, Options: r.settings.Options, Limits: r.settings.Limits, Attempt: 1})
	return rowOf(in.shown, record, err)
}
