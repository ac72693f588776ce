package app

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"path"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/server/api"
)

// uploads converts files that come in the body of POST /api/convert. They take the same way as all others: into the documents
// container, so that nothing is lost when the answer takes longer than the request may.
type uploads struct {
	journey   *journey
	documents *documents
}

const (
	uploadsFolder = "api"             // in the documents container
	answerTime    = 150 * time.Second // Azure's front end cuts at 230 seconds; reading the results takes a moment too
	maxAnswer     = 32 * job.MiB      // of Markdown and chunks in one answer
)

func (u *uploads) Convert(ctx context.Context, upload api.Upload) (api.Conversion, error) {
	cloud := u.journey.cloud
	src := job.Source{
		Account: cloud.blobs.Account(), Container: cloud.settings.Documents,
		Path: path.Join(uploadsFolder, rand.Text(), path.Base(path.Clean("/"+upload.Name))), Size: upload.Size, MediaType: upload.MediaType,
	}
	src, err := cloud.files.Upload(ctx, src, upload.Body)
	if err != nil {
		return api.Conversion{}, err
	}
	work, cancel := context.WithTimeoutCause(ctx, answerTime, fault.New(fault.Interrupted, "", context.DeadlineExceeded))
	defer cancel()
	err = u.journey.Convert(work, job.Job{ID: src.ID(), Source: src, Options: upload.Options})
	r, err := u.outcome(work, src.ID(), err)
	switch {
	case err != nil:
		return api.Conversion{}, err
	case !r.State.Terminal():
		return api.Conversion{ID: src.ID()}, u.later(ctx, src)
	case !r.State.Readable():
		return api.Conversion{}, fault.New(r.Cause.Kind, r.Cause.Message, nil)
	}
	return u.answer(ctx, r)
}

// outcome waits for a document that another delivery of its event has taken first.
func (u *uploads) outcome(ctx context.Context, id job.ID, err error) (ledger.Record, error) {
	if err != nil && fault.KindOf(err) != fault.Duplicate && fault.KindOf(err) != fault.Interrupted {
		return ledger.Record{}, err
	}
	for {
		r, err := u.journey.cloud.ledger.Load(context.WithoutCancel(ctx), id)
		if err != nil || r.State.Terminal() || !sleep(ctx, 100*time.Millisecond) {
			return r, err
		}
	}
}

// later makes sure that somebody goes on with a document that took too long for a request.
func (u *uploads) later(ctx context.Context, src job.Source) error {
	if !u.journey.cloud.isEmulator() {
		return nil // Event Grid has told the queue
	}
	return u.journey.cloud.announce(context.WithoutCancel(ctx), src)
}

func (u *uploads) answer(ctx context.Context, r ledger.Record) (api.Conversion, error) {
	out := api.Conversion{ID: r.DocumentID, Done: true, Result: &job.Result{
		Format: r.Format, Outside: r.Outside, Title: r.Title, Language: r.Language, Counts: r.Counts, Empty: r.State == ledger.Empty, Warnings: r.Warnings,
		ContentHash: r.ContentHash, Fingerprint: r.Fingerprint, Version: r.Version,
	}}
	m, err := u.journey.cloud.sink.Manifest(ctx, r.Source)
	if err != nil {
		return out, err
	}
	out.Result.Files = m.Files
	if f, ok := m.File(job.MarkdownFile); ok {
		text, err := u.read(ctx, r.Source, f)
		if err != nil {
			return out, err
		}
		out.Markdown = string(text)
	}
	if f, ok := m.File(job.ChunksFile); ok {
		body, err := u.journey.cloud.sink.Open(ctx, r.Source, f.Path)
		if err != nil {
			return out, err
		}
		defer body.Close()
		out.Chunks, err = readLines(io.LimitReader(body, maxAnswer))
		return out, err
	}
	return out, nil
}

func (u *uploads) read(ctx context.Context, src job.Source, f job.File) ([]byte, error) {
	if f.Bytes > maxAnswer {
		return nil, nil // the link to the document is in the answer
	}
	body, err := u.journey.cloud.sink.Open(ctx, src, f.Path)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, maxAnswer))
}

func readLines(r io.Reader) ([]json.RawMessage, error) {
	var list []json.RawMessage
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, int(maxAnswer))
	for lines.Scan() {
		list = append(list, json.RawMessage(append([]byte(nil), lines.Bytes()...)))
	}
	return list, lines.Err()
}
