package sweep

import (
	"context"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

// orphanAge is how old a result file must be to count as forgotten.
const orphanAge = time.Hour

// orphans looks at a page of the result files a run: those of documents without a record are removed, documents that are done but
// have lost their manifest are sent again.
func (s *Sweeper) orphans(ctx context.Context, kept *state, report *Report) error {
	if s.Results == nil {
		return nil
	}
	list, next, err := s.Results.Files(ctx, kept.Result, s.opt.Work)
	if err != nil {
		kept.Result = ""
		return err
	}
	for len(list) > 0 {
		files := firstDocument(list)
		list = list[len(files):]
		if err := s.document(ctx, files, report); err != nil {
			return err
		}
	}
	kept.Result = next
	return nil
}

// firstDocument gives the files at the beginning that are of one document.
func firstDocument(list []pipeline.ResultFile) []pipeline.ResultFile {
	n := 1
	for n < len(list) && list[n].DocumentID == list[0].DocumentID {
		n++
	}
	return list[:n]
}

// document looks at the result files of one document, or at some of them where a page ended.
func (s *Sweeper) document(ctx context.Context, files []pipeline.ResultFile, report *Report) error {
	r, err := s.Ledger.Load(ctx, files[0].DocumentID)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return s.forget(ctx, files, report)
	case err != nil:
		return err
	case hasManifest(files):
		return nil
	}
	_, err = s.redo(ctx, r, report)
	return err
}

// redo sends a document again that is done but has no manifest, and tells whether it has.
func (s *Sweeper) redo(ctx context.Context, r ledger.Record, report *Report) (bool, error) {
	if !r.State.Readable() || r.Source.Parent != "" { // an attachment is made again with its parent
		return false, nil
	}
	if _, err := s.Pipeline.Sink.Manifest(ctx, r.Source); fault.KindOf(err) != fault.NotFound {
		return false, err
	}
	report.Redone++
	return true, s.send(ctx, r.Job())
}

func hasManifest(files []pipeline.ResultFile) bool {
	for _, f := range files {
		if f.Manifest {
			return true
		}
	}
	return false
}

// forget removes files whose document has no record, if that has been so for a while.
func (s *Sweeper) forget(ctx context.Context, files []pipeline.ResultFile, report *Report) error {
	for _, f := range files {
		if s.opt.Now().Sub(f.Modified) < orphanAge {
			continue
		}
		if err := s.Results.RemoveFile(ctx, f.Name); err != nil {
			return err
		}
		report.Orphans++
	}
	return nil
}
