package pdf

import (
	"context"
	"errors"
	"io"

	"decant/handler/internal/fault"
	"decant/handler/internal/pdfium"
)

// Class says what a PDF is, as far as a conversion is concerned.
type Class string

// The classes.
const (
	ClassText      Class = "text"      // pages have text of their own, or a scanner's
	ClassScanned   Class = "scanned"   // pages are pictures without text: they need OCR
	ClassMixed     Class = "mixed"     // both
	ClassEncrypted Class = "encrypted" // a password is needed
	ClassBroken    Class = "broken"    // cannot be opened, or none of its pages can be read
	ClassEmpty     Class = "empty"     // no pages, or nothing on them
)

// Check is what Precheck finds.
type Check struct {
	Class   Class `json:"class"`
	Pages   int   `json:"pages"`
	Looked  int   `json:"looked"`  // pages looked at: all up to 32, else 32 spread over the document
	Text    int   `json:"text"`    // of those: with text
	Scanned int   `json:"scanned"` // of those: pictures without text
	Broken  int   `json:"broken"`  // of those: unreadable
}

// Checker classifies files without converting them. It holds an engine; Close must be called once. Not for concurrent use.
type Checker struct {
	engine  *pdfium.Engine
	options Options
}

// NewChecker starts an engine.
func NewChecker(ctx context.Context, options Options) (*Checker, error) {
	e, err := pdfium.Start(ctx, pdfium.Config{CacheDir: options.CacheDir})
	if err != nil {
		return nil, err
	}
	return &Checker{engine: e, options: options}, nil
}

// Close ends the engine.
func (c *Checker) Close() { c.engine.Close() }

// maxLooked is how many pages are looked at: enough to tell a scan from a text, few enough for thousands of files.
const maxLooked = 32

// Precheck classifies a file. The error is only for what went wrong on our side; a file that cannot be read is ClassBroken.
func (c *Checker) Precheck(ctx context.Context, file io.ReaderAt, size int64, password string) (Check, error) {
	if err := ctx.Err(); err != nil {
		return Check{}, err
	}
	if c.engine.Err() != nil {
		if err := c.engine.Restart(); err != nil {
			return Check{}, fault.New(fault.Internal, "", err)
		}
	}
	d, err := c.engine.Open(file, size, password)
	switch {
	case errors.Is(err, pdfium.ErrPassword), errors.Is(err, pdfium.ErrSecurity):
		return Check{Class: ClassEncrypted}, nil
	case err != nil:
		return Check{Class: ClassBroken}, nil
	}
	check := Check{Pages: d.Pages()}
	step := max(1, (check.Pages+maxLooked-1)/maxLooked)
	for i := 0; i < check.Pages && c.engine.Err() == nil; i += step {
		check.look(d, i)
	}
	if c.engine.Err() == nil {
		d.Close()
	} else {
		check.Broken++
	}
	check.Class = check.class()
	return check, nil
}

// minText is how many characters make a page one with text: a stamp or a page number does not.
const minText = 12

func (c *Check) look(d *pdfium.Document, i int) {
	c.Looked++
	page := d.Page(i)
	if page == nil {
		c.Broken++
		return
	}
	defer page.Close()
	if page.CountChars() >= minText {
		c.Text++
		return
	}
	v := newView(page.Geometry(), 1)
	area := 0.0
	page.Objects(func(o pdfium.Object) {
		if o.Kind == pdfium.ImageObject {
			box := v.rect(o.Bounds)
			area += max(0, min(box.X1, v.width)-max(box.X0, 0)) * max(0, min(box.Y1, v.height)-max(box.Y0, 0))
		}
	})
	if area > scanShare*v.width*v.height {
		c.Scanned++
	}
}

func (c *Check) class() Class {
	switch {
	case c.Looked > 0 && c.Broken == c.Looked:
		return ClassBroken
	case c.Text > 0 && c.Scanned > 0:
		return ClassMixed
	case c.Text > 0:
		return ClassText
	case c.Scanned > 0:
		return ClassScanned
	}
	return ClassEmpty
}
