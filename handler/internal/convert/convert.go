package convert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"time"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/job"
)

// Converter converts files of the formats it knows.
type Converter struct {
	formats []format.Format
	version string
	routes  []job.Route
}

// New makes a converter of the given formats. The version goes into every result and every cache key.
func New(formats []format.Format, version string) *Converter {
	return &Converter{formats: formats, version: version}
}

// Formats lists what the converter reads.
func (c *Converter) Formats() []format.Format { return c.formats }

// Version is the converter's version.
func (c *Converter) Version() string { return c.version }

// HandOver gives the converter the routes to outside converters, the first of which counts. A document that goes one of them is
// not read: the result says by its Outside where it is to go, and has no files.
func (c *Converter) HandOver(routes []job.Route) { c.routes = routes }

// Warm loads what parsers need ahead of the first document, for a process with the given memory cap in bytes.
func (c *Converter) Warm(ctx context.Context, memory int64) error {
	var problems []error
	for _, f := range c.formats {
		if f.Warm != nil {
			problems = append(problems, f.Warm(ctx, format.Limits{Memory: memory}))
		}
	}
	return errors.Join(problems...)
}

// Convert reads req.Input and writes the results below req.OutDir. The error is nil or a *fault.Error.
func (c *Converter) Convert(ctx context.Context, req job.Request) (job.Result, error) {
	run := run{converter: c, req: req, options: req.Job.Options.Normalize(), limits: req.Job.Limits.Normalize(), started: time.Now()}
	result, err := run.convert(ctx)
	if err != nil {
		return job.Result{}, fault.From(err)
	}
	return result, nil
}

// run is one conversion under way.
type run struct {
	converter *Converter
	req       job.Request
	options   job.Options
	limits    job.Limits
	started   time.Time
	hash      string
	size      int64
	files     *files
	out       *output
	read      part
}

func (r *run) convert(ctx context.Context) (job.Result, error) {
	input, err := r.open()
	if err != nil {
		return job.Result{}, err
	}
	defer input.Close()
	r.files = newFiles(r.req.OutDir, r.limits, r.options)

	r.progress("detect", 0, 0)
	r.readInput(input)
	if r.req.Outside != nil {
		made, err := r.openMade()
		if err != nil {
			return job.Result{}, err
		}
		defer made.Close()
	}
	found, err := r.detect()
	if route, ok := r.route(found); ok {
		return r.handOver(ctx, route, found)
	}
	if err != nil {
		return job.Result{}, err
	}
	if r.out, err = r.newOutput(); err != nil {
		return job.Result{}, err
	}
	defer r.out.discard()
	d, err := r.parse(ctx, found)
	if err != nil {
		return job.Result{}, err
	}
	return r.write(ctx, d, found)
}

func (r *run) progress(stage string, page, pages int) {
	if r.req.Progress != nil {
		r.req.Progress(job.Progress{Stage: stage, Page: page, Pages: pages})
	}
}

// open opens the input and takes its hash on the way.
func (r *run) open() (*os.File, error) {
	f, err := os.Open(r.req.Input)
	if err != nil {
		return nil, openFault(err)
	}
	if err = r.measure(f); err == nil {
		err = r.digest(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// measure takes the file's size, and refuses what is no file, empty or too large.
func (r *run) measure(f *os.File) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("stat the document: %w", err)
	case !info.Mode().IsRegular():
		return fault.Newf(fault.BadRequest, "%s is not a regular file.", r.req.Job.Source.Name())
	case info.Size() == 0:
		return fault.New(fault.Empty, "", nil)
	case info.Size() > r.limits.Input:
		return fault.Newf(fault.TooLarge, "The file has %d bytes, more than the limit of %d. Split it, or raise the limit (--max-size, DECANT_MAX_INPUT).", info.Size(), r.limits.Input)
	}
	r.size = info.Size()
	return nil
}

func (r *run) digest(f *os.File) error {
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, r.limits.Input)); err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	r.hash = hex.EncodeToString(h.Sum(nil))
	return nil
}

func openFault(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "", err)
	case errors.Is(err, fs.ErrPermission):
		return fault.New(fault.Denied, "", err)
	}
	return fmt.Errorf("open the document: %w", err)
}

func (r *run) detect() (format.Detection, error) {
	head, err := format.ReadHead(r.read, r.read.size, r.read.name)
	if err != nil {
		return format.Detection{}, err
	}
	if r.req.Outside != nil {
		return r.detectMade(head)
	}
	return format.Detect(r.converter.formats, head)
}

func (r *run) parse(ctx context.Context, found format.Detection) (d *doc.Document, err error) {
	defer func() {
		// A parser's panic is a crash of this document; a runtime error such as out of memory cannot be caught and ends the process.
		if p := recover(); p != nil {
			d, err = nil, crash(p)
		}
	}()
	r.progress("parse", 0, 0)
	d, err = found.Format.Parse(ctx, r.formatInput("parse"))
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.Format = r.formatName(found)
	r.warnOutside(d)
	if found.NameSays != "" {
		d.Warn("wrong_extension", fmt.Sprintf("The name says %s, the content is %s.", found.NameSays, found.Format.Name))
	}
	return d, nil
}

// formatInput is what the format gets, in the given stage.
func (r *run) formatInput(stage string) *format.Input {
	in := &format.Input{
		ReaderAt:  r.read,
		Size:      r.read.size,
		Name:      r.read.name,
		MediaType: r.read.mediaType,
		Options:   r.parserOptions(),
		Limits:    r.parserLimits(),
		Files:     r.files,
		Progress:  func(page, pages int) { r.progress(stage, page, pages) },
	}
	if r.out.takesParts() {
		in.Part = r.out.part
	}
	return in
}

func crash(p any) error {
	stack := make([]byte, 8<<10)
	stack = stack[:runtime.Stack(stack, false)]
	return fault.New(fault.Crash, "", fmt.Errorf("panic: %v\n%s", p, stack))
}

func (r *run) parserOptions() format.Options {
	o := r.options
	return format.Options{
		Hidden: o.Hidden, Revisions: o.Revisions, Furniture: o.Furniture, Comments: o.Comments, HTML: o.HTML,
		Images: o.Images, Attachments: o.Attachments, Password: string(r.req.Job.Options.Password),
	}
}

func (r *run) parserLimits() format.Limits {
	l := r.limits
	return format.Limits{
		Pages: l.Pages, Members: l.Members, Depth: format.DefaultDepth, Unpack: l.Disk, Memory: l.Memory,
		Level: l.Depth - r.req.Job.Depth,
	}
}
