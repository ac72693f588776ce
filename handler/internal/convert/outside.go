package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/job"
)

// part is what is read: the document, or what an outside converter made of it.
type part struct {
	io.ReaderAt
	size      int64
	name      string
	mediaType string
}

// readInput turns to the document itself.
func (r *run) readInput(input io.ReaderAt) {
	r.read = part{input, r.size, r.req.Job.Source.Name(), r.req.Job.Source.MediaType}
}

// route finds the outside converter that the document goes to, if any. What came back from one is read here and goes nowhere.
func (r *run) route(found format.Detection) (job.Route, bool) {
	if r.req.Outside != nil {
		return job.Route{}, false
	}
	source := r.req.Job.Source
	extension := strings.ToLower(path.Ext(source.Name()))
	i := slices.IndexFunc(r.converter.routes, func(route job.Route) bool {
		return route.Takes(string(found.Format.Name), extension, source.MediaType)
	})
	if i < 0 {
		return job.Route{}, false
	}
	return r.converter.routes[i], true
}

// handOver answers that an outside converter is to read the document, unless it is plain that none could.
func (r *run) handOver(ctx context.Context, route job.Route, found format.Detection) (job.Result, error) {
	name := string(found.Format.Name)
	if extension := strings.ToLower(path.Ext(r.read.name)); name == "" || !route.Takes(name, "", "") && route.Takes("", extension, "") {
		name = strings.TrimPrefix(extension, ".") // the settings know better than the content what it is
	}
	protected := false
	if found.Format.Outside {
		_, err := r.parse(ctx, found)
		if !errors.Is(err, format.ErrOutside) {
			return job.Result{}, err
		}
		protected = errors.Is(err, format.ErrProtected)
	}
	return job.Result{
		Format: name, ContentHash: r.hash, Version: r.converter.version,
		Outside: &job.Outside{Converter: route.Converter, Format: name, Protected: protected},
	}, nil
}

// openMade turns to what the outside converter made.
func (r *run) openMade() (*os.File, error) {
	f, err := os.Open(r.req.Made)
	if err != nil {
		return nil, fmt.Errorf("open what %s made: %w", r.req.Outside.Converter, err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() == 0 {
		err = fault.Newf(fault.Corrupt, "The outside converter %s found nothing in the file. Open and save it again in the program that made it.", r.req.Outside.Converter)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	r.read = part{f, info.Size(), path.Base(r.req.Made), ""}
	return f, nil
}

// detectMade takes the format that the converter promised to give back, if the content can be that.
func (r *run) detectMade(head *format.Head) (format.Detection, error) {
	for _, f := range r.converter.formats {
		if string(f.Name) != r.req.Outside.Returns || f.Outside {
			continue
		}
		if f.Match == nil {
			return format.Detection{Format: f, Score: format.Plausible}, nil
		}
		if score := f.Match(head); score > 0 {
			return format.Detection{Format: f, Score: score}, nil
		}
	}
	return format.Detection{}, fault.Newf(fault.Crash, "The outside converter %s gave back something that is not %s. Look at its settings, or report the file.",
		r.req.Outside.Converter, r.req.Outside.Returns)
}

// formatName is the format of the document, whatever an outside converter made of it.
func (r *run) formatName(found format.Detection) string {
	if o := r.req.Outside; o != nil {
		return o.Format
	}
	return string(found.Format.Name)
}

// warnOutside says who read the document.
func (r *run) warnOutside(d *doc.Document) {
	if o := r.req.Outside; o != nil {
		d.Warn("outside_converter", fmt.Sprintf("The file was read through %s and came back as %s.", strings.TrimSpace(o.Converter+" "+o.Version), o.Returns))
	}
}
