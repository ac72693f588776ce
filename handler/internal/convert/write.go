package convert

import (
	"context"
	"io"
	"slices"
	"sort"

	"decant/handler/internal/doc"
	"decant/handler/internal/docling"
	"decant/handler/internal/format"
	"decant/handler/internal/job"
)

// write renders, cuts and writes what the parser has left, and finishes the results.
func (r *run) write(ctx context.Context, d *doc.Document, found format.Detection) (job.Result, error) {
	if err := ctx.Err(); err != nil {
		return job.Result{}, err
	}
	if err := r.out.last(d); err != nil {
		return job.Result{}, err
	}
	r.sayEmpty(d)
	result := r.result(d, found)
	if err := r.out.close(d, &result); err != nil {
		return job.Result{}, err
	}
	for _, output := range []struct {
		name, file, mediaType string
		fill                  func(io.Writer) error
	}{
		{"docling", job.DoclingFile, "application/json", func(w io.Writer) error { return docling.Write(w, d, r.req.Job.Source.Name()) }},
		{"layout", job.LayoutFile, "text/html; charset=utf-8", func(w io.Writer) error { return r.writeLayout(ctx, w, found) }},
		{"preview", job.PreviewFile, "text/html; charset=utf-8", func(w io.Writer) error { return r.writePreview(ctx, w, d, r.out.chunked, found) }},
	} {
		if !r.options.Wants(output.name) {
			continue
		}
		r.progress("write", 0, 0)
		if err := r.files.write(output.file, output.mediaType, output.fill); err != nil {
			return job.Result{}, err
		}
	}
	result.Files = r.files.written
	return result, nil
}

// sayEmpty sees to it that no document is empty without a word.
func (r *run) sayEmpty(d *doc.Document) {
	said := slices.ContainsFunc(d.Warnings, func(w doc.Warning) bool { return w.Class == "empty_document" || w.Class == "scanned_page" })
	if r.out.isEmpty(d) && !said {
		d.Warn("empty_document", "There is nothing to read in the document.")
	}
}

func (r *run) result(d *doc.Document, found format.Detection) job.Result {
	result := job.Result{
		Format:      r.formatName(found),
		Outside:     r.req.Outside,
		Title:       d.Metadata.Title,
		Language:    d.Metadata.Language,
		Counts:      r.out.counts(d, found.Format.Paged),
		Empty:       r.out.isEmpty(d),
		ContentHash: r.hash,
		Fingerprint: r.options.Fingerprint(r.converter.version),
		Version:     r.converter.version,
		Warnings:    classes(d.Warnings),
	}
	for _, a := range d.Attachments {
		result.Attachments = append(result.Attachments, job.Attachment{
			Name: a.Name, File: a.File, MediaType: a.MediaType, Bytes: a.Bytes, Fault: a.Fault, Message: a.Message,
		})
	}
	return result
}

// classes adds the warnings up by class.
func classes(warnings []doc.Warning) []job.Warning {
	sums := map[doc.Class]int{}
	for _, w := range warnings {
		sums[w.Class] += max(1, w.Count)
	}
	list := make([]job.Warning, 0, len(sums))
	for class, n := range sums {
		list = append(list, job.Warning{Class: string(class), Count: n})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Class < list[j].Class })
	return list
}
