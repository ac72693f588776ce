package pdf

import (
	"context"
	"errors"
	"io"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/pdfium"
)

// Checker classifies files without converting them. It holds an engine; Close must be called once. Not for concurrent use.
type Checker struct {
	engine   *pdfium.Engine
	progress func(page, pages int) // may be nil
}

// NewChecker starts an engine.
func NewChecker(ctx context.Context, options Options) (*Checker, error) {
	e, err := pdfium.Start(ctx, pdfium.Config{CacheDir: options.CacheDir})
	if err != nil {
		return nil, err
	}
	return &Checker{engine: e}, nil
}

// Close ends the engine.
func (c *Checker) Close() { c.engine.Close() }

// maxLooked is how many pages are looked at: enough to tell a scan from a text, few enough for thousands of files.
const maxLooked = 32

// Precheck classifies a file. The error is only for what went wrong on our side; a file that cannot be read is format.ClassBroken.
func (c *Checker) Precheck(ctx context.Context, file io.ReaderAt, size int64, password string) (format.Check, error) {
	if err := ctx.Err(); err != nil {
		return format.Check{}, err
	}
	if c.engine.Err() != nil {
		if err := c.engine.Restart(); err != nil {
			return format.Check{}, fault.New(fault.Internal, "", err)
		}
	}
	d, err := c.engine.Open(file, size, password)
	switch {
	case errors.Is(err, pdfium.ErrPassword), errors.Is(err, pdfium.ErrSecurity):
		return format.Check{Class: format.ClassEncrypted}, nil
	case err != nil:
		return format.Check{Class: format.ClassBroken}, nil
	}
	check := format.Check{Pages: d.Pages()}
	step := max(1, (check.Pages+maxLooked-1)/maxLooked)
	for i := 0; i < check.Pages && c.engine.Err() == nil; i += step {
		if c.progress != nil {
			c.progress(i+1, check.Pages)
		}
		c.look(&check, d, i)
	}
	check.Class = classOf(check)
	return check, c.tidy(d)
}

// tidy closes the document. An engine that has trapped or grown is started anew, as its memory never shrinks.
func (c *Checker) tidy(d *pdfium.Document) error {
	if c.engine.Err() == nil {
		d.Close()
	}
	if c.engine.Err() == nil && c.engine.MemoryBytes() <= maxIdleMemory {
		return nil
	}
	if err := c.engine.Restart(); err != nil {
		return fault.New(fault.Internal, "", err)
	}
	return nil
}

// minText is how many characters make a page with a page-sized picture one with text: a stamp or a page number does not.
// manyTexts is how many text objects are text without counting characters, which takes as long again as loading the page.
const (
	minText   = 12
	manyTexts = 16
)

// look counts page i (from 0) as what it is. A page at which the engine traps counts as broken.
func (c *Checker) look(check *format.Check, d *pdfium.Document, i int) {
	check.Looked++
	page := d.Page(i)
	if page == nil {
		check.Broken++
		return
	}
	text, scanned := judge(page)
	switch {
	case c.engine.Err() != nil:
		check.Broken++
		return
	case text:
		check.Text++
	case scanned:
		check.Scanned++
	}
	page.Close()
}

// judge tells a page with text from the picture of one. A page without either is neither.
func judge(page *pdfium.Page) (text, scanned bool) {
	texts, covered := contents(page)
	pictured := covered > scanShare
	if !pictured && texts >= manyTexts {
		return true, false
	}
	chars := page.CountChars()
	text = chars >= minText || chars > 0 && !pictured
	return text, pictured && !text
}

// contents counts the text objects of a page, and gives the share of it that pictures cover: 0 to 1, and more where they overlap.
func contents(page *pdfium.Page) (texts int, covered float64) {
	v := newView(page.Geometry(), 1)
	area := 0.0
	page.Objects(func(o pdfium.Object) {
		switch o.Kind {
		case pdfium.TextObject:
			texts++
		case pdfium.ImageObject:
			box := v.rect(o.Bounds)
			area += max(0, min(box.X1, v.width)-max(box.X0, 0)) * max(0, min(box.Y1, v.height)-max(box.Y0, 0))
		}
	})
	return texts, area / (v.width * v.height)
}

func classOf(c format.Check) format.Class {
	switch {
	case c.Looked > 0 && c.Broken == c.Looked:
		return format.ClassBroken
	case c.Text > 0 && c.Scanned > 0:
		return format.ClassMixed
	case c.Text > 0:
		return format.ClassText
	case c.Scanned > 0:
		return format.ClassScanned
	}
	return format.ClassEmpty
}

// check is Precheck with an engine that is kept for the next document.
func (r *reader) check(ctx context.Context, in *format.Input) (format.Check, error) {
	e, err := r.engines.take(ctx, engineMemory(in.Limits.Memory))
	if err != nil {
		return format.Check{}, err
	}
	defer r.engines.giveBack(e)
	c := Checker{engine: e, progress: in.Progress}
	return c.Precheck(ctx, in, in.Size, in.Options.Password)
}
