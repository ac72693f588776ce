package pipeline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// publishMargin is how much of the lease must be left for the manifest to be written: nobody may take over meanwhile.
const publishMargin = 5 * time.Second

// publish writes the results, then the manifest, then the record with its chunks; then it tidies up.
func (p *Pipeline) publish(ctx context.Context, t *task, target Target, members []Member) (ledger.Record, error) {
	if err := p.removeOrphans(ctx, t, target); err != nil {
		return ledger.Record{}, err
	}
	if err := p.putFiles(ctx, t, target); err != nil {
		return ledger.Record{}, err
	}
	if err := t.claim.Seal(ctx); err != nil {
		return ledger.Record{}, err
	}
	if t.claim.Expired(min(publishMargin, p.Ledger.Lease()/2)) {
		return ledger.Record{}, fault.New(fault.LeaseLost, "", nil)
	}
	m := t.manifest(target, members)
	if err := p.Sink.Publish(ctx, target, m); err != nil {
		return ledger.Record{}, err
	}
	chunks := fileChunks(filepath.Join(t.out, job.ChunksFile))
	if t.placed {
		t.placed = false // it is the readers' now
		chunks = p.publishedChunks(ctx, m)
	}
	return p.conclude(ctx, t, m, chunks)
}

// removeOrphans removes results of a later generation than the one that is about to be published, although the claim holds: they
// are those of a record that was lost, and would never give way to a generation that began to count anew.
func (p *Pipeline) removeOrphans(ctx context.Context, t *task, target Target) error {
	if t.found.Generation <= target.Generation {
		return nil
	}
	if err := t.claim.Check(ctx); err != nil {
		return err
	}
	return p.Sink.Remove(ctx, t.job.Source)
}

// putFiles hands the results over to the sink, unless they are made in its own place.
func (p *Pipeline) putFiles(ctx context.Context, t *task, target Target) error {
	if t.placed {
		return nil
	}
	for _, f := range t.result.Files {
		if err := p.putFile(ctx, t, target, f); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pipeline) putFile(ctx context.Context, t *task, target Target, f job.File) error {
	file, err := os.Open(filepath.Join(t.out, filepath.FromSlash(f.Path)))
	if err != nil {
		return fault.New(fault.Internal, "", err)
	}
	defer file.Close()
	return p.Sink.Put(ctx, target, f, file)
}

// conclude writes the record, together with the chunk items that changed, and what follows from it.
func (p *Pipeline) conclude(ctx context.Context, t *task, m Manifest, source chunkSource) (ledger.Record, error) {
	before := t.claim.Record()
	change, changes, err := p.compareChunks(ctx, before, source)
	if err != nil {
		return ledger.Record{}, err
	}
	record, err := t.claim.Finish(ctx, ledger.Conclusion{
		State: m.Status, Result: resultOf(m), Usage: t.usage, Changes: changes, Children: childrenOf(m),
		Cached: t.cached, Chunks: change, Published: m.Generation,
	})
	if err != nil {
		return record, err
	}
	p.tidy(ctx, before, record)
	if !t.cached && p.Cache != nil {
		p.warn(ctx, "remember result", record, p.Cache.Remember(ctx, record.ContentHash, record.Fingerprint, record.Source))
	}
	p.announce(ctx, record)
	return record, nil
}

// tidy removes what the new generation left behind. It may fail: the sweeper does it again.
func (p *Pipeline) tidy(ctx context.Context, before, now ledger.Record) {
	if before.Generation > 1 {
		_, err := p.Sink.Prune(ctx, now.Source, now.Generation)
		p.warn(ctx, "remove old results", now, err)
	}
	kept := map[job.ID]bool{}
	for _, id := range now.Children {
		kept[id] = true
	}
	for _, id := range before.Children {
		if !kept[id] {
			p.warn(ctx, "remove old attachment", now, p.deleteChild(ctx, id))
		}
	}
}

func (p *Pipeline) warn(ctx context.Context, what string, r ledger.Record, err error) {
	if err != nil {
		p.Log.WarnContext(ctx, what, "document", r.DocumentID, "generation", r.Generation, "error", err)
	}
}

func (t *task) manifest(target Target, members []Member) Manifest {
	r := t.result
	m := Manifest{
		Schema: ManifestSchema, DocumentID: t.job.ID, Generation: target.Generation, Source: t.job.Source,
		ContentHash: t.hash, Fingerprint: r.Fingerprint, Options: t.job.Options, Version: r.Version,
		Format: r.Format, Outside: r.Outside, Title: r.Title, Language: r.Language, Status: ledger.Succeeded, Counts: r.Counts,
		Warnings: t.unread.warned(r.Warnings), Files: r.Files, Attachments: members, Unread: t.unread.named, Created: time.Now().UTC().Truncate(time.Millisecond),
	}
	if r.Empty {
		m.Status = ledger.Empty
	}
	if u := t.usage; u != nil {
		m.Usage = Usage{Seconds: u.Wall.Seconds(), CPUSeconds: u.CPU.Seconds(), PeakMemory: u.PeakMemory}
	}
	return m
}

// resultOf gives what the record keeps of a manifest.
func resultOf(m Manifest) *job.Result {
	return &job.Result{
		Format: m.Format, Outside: m.Outside, Title: m.Title, Language: m.Language, Counts: m.Counts, Warnings: m.Warnings,
		Empty: m.Status == ledger.Empty, Files: m.Files, ContentHash: m.ContentHash, Fingerprint: m.Fingerprint, Version: m.Version,
	}
}

func childrenOf(m Manifest) []job.ID {
	var ids []job.ID
	for _, a := range m.Attachments {
		if a.DocumentID != "" {
			ids = append(ids, a.DocumentID)
		}
	}
	return ids
}

// Delete records that a file was deleted and removes its results, its chunks and the documents that were inside it.
// Doing it again completes what was interrupted. fault.Stale when a newer upload is known.
func (p *Pipeline) Delete(ctx context.Context, src job.Source) (ledger.Record, error) {
	r, err := p.Ledger.MarkGone(ctx, src)
	if err != nil {
		return r, err
	}
	return p.Clean(ctx, r)
}

// Clean removes what is left of a gone document.
func (p *Pipeline) Clean(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	if !r.Cleanup {
		return r, nil
	}
	if err := p.Sink.Remove(ctx, r.Source); err != nil {
		return r, err
	}
	var failures []error
	for _, id := range r.Children {
		failures = append(failures, p.deleteChild(ctx, id))
	}
	if err := errors.Join(failures...); err != nil {
		return r, err
	}
	return p.Ledger.Cleaned(ctx, r)
}

// Discard does what a person wants who deletes a document: its results, its chunks, the documents inside it and what is known of it
// go. The file is not touched. While it is there, the ledger remembers which version was removed, so that this one is not
// converted again; otherwise nothing is left. Removing it twice is no fault.
func (p *Pipeline) Discard(ctx context.Context, id job.ID) error {
	r, err := p.Ledger.Load(ctx, id)
	if err != nil {
		return err
	}
	if r.Source.Parent != "" {
		return p.forget(ctx, id)
	}
	if _, err := p.Fetcher.Stat(ctx, r.Source); fault.KindOf(err) == fault.Gone {
		return p.forget(ctx, id)
	}
	if r, err = p.Ledger.Remove(ctx, id); err == nil {
		_, err = p.Clean(ctx, r)
	}
	return err
}

// forget removes a document's results, the documents inside it, and its record: afterwards it was never there.
func (p *Pipeline) forget(ctx context.Context, id job.ID) error {
	r, err := p.Ledger.Load(ctx, id)
	if err != nil {
		return err
	}
	if r, err = p.Delete(ctx, r.Source); err != nil {
		return err
	}
	return p.Ledger.Forget(ctx, r)
}

func (p *Pipeline) deleteChild(ctx context.Context, id job.ID) error {
	err := p.forget(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	return err
}
