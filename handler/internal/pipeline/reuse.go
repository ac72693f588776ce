package pipeline

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// adopt finds the document's own results still right: the same bytes were uploaded again, or a worker died between the
// manifest and the record. Then only the record is written.
func (p *Pipeline) adopt(ctx context.Context, t *task) (ledger.Record, bool, error) {
	m, err := p.Sink.Manifest(ctx, t.job.Source)
	if err != nil {
		return ledger.Record{}, false, nil
	}
	if t.found = m; !p.fits(m, t) || unfinished(m) {
		return ledger.Record{}, false, nil
	}
	if err := t.claim.Seal(ctx); err != nil {
		return ledger.Record{}, false, err
	}
	t.cached, t.unread = true, unreadOf(m)
	record, err := p.conclude(ctx, t, m, p.publishedChunks(ctx, m))
	return record, err == nil, err
}

// unfinished tells whether a document inside it failed in a way that another try may mend.
func unfinished(m Manifest) bool {
	for _, a := range m.Attachments {
		if a.Fault != "" && fault.Lookup(a.Fault).Retryable {
			return true
		}
	}
	return false
}

func (p *Pipeline) fits(m Manifest, t *task) bool {
	return m.ContentHash == t.hash && m.Fingerprint == t.job.Options.Fingerprint(p.Ledger.Version())
}

func (p *Pipeline) publishedChunks(ctx context.Context, m Manifest) chunkSource {
	return func() (io.ReadCloser, error) {
		file, ok := m.File(job.ChunksFile)
		if !ok {
			return nil, nil
		}
		return p.Sink.Open(ctx, m.Source, file.Path)
	}
}

// reuse takes over the results of another document with the same bytes and options. Whatever goes wrong with that is
// no failure: the document is converted instead.
func (p *Pipeline) reuse(ctx context.Context, t *task) bool {
	if p.Cache == nil {
		return false
	}
	other, err := p.Cache.Find(ctx, t.hash, t.job.Options.Fingerprint(p.Ledger.Version()))
	if err != nil {
		return false
	}
	m, err := p.Sink.Manifest(ctx, other)
	if err != nil || !p.fits(m, t) || !sameName(other, t.job.Source, t.job.Options) {
		return false
	}
	result, err := p.copyResults(ctx, t, m)
	if err != nil {
		p.Log.InfoContext(ctx, "results of the same bytes could not be reused", "document", t.job.ID, "other", m.DocumentID, "error", err)
		p.warn(ctx, "empty output directory", t.claim.Record(), emptyDir(t.out))
		return false
	}
	t.result, t.cached = result, true
	return true
}

// sameName tells whether two files have the same extension: their detection may depend on it where content does not tell.
// Results that hold the document's name need the same name.
func sameName(a, b job.Source, options job.Options) bool {
	for _, output := range job.Outputs() {
		if output.Own && options.Wants(output.Name) && a.Name() != b.Name() {
			return false
		}
	}
	return strings.EqualFold(path.Ext(a.Name()), path.Ext(b.Name()))
}

// copyResults brings another document's published files into the task's output directory, under this document's id.
func (p *Pipeline) copyResults(ctx context.Context, t *task, m Manifest) (job.Result, error) {
	result := *resultOf(m)
	result.Files = nil
	for _, f := range m.Files {
		name := insideResult(m, f.Path)
		copied, err := p.copyFile(ctx, t, m, f, name)
		if err != nil {
			return job.Result{}, err
		}
		result.Files = append(result.Files, copied)
	}
	for _, a := range m.Attachments {
		member := job.Attachment{Name: a.Name, MediaType: a.MediaType, Bytes: a.Bytes}
		if a.File != "" {
			member.File = insideResult(m, a.File)
		} else {
			member.Fault, member.Message = string(a.Fault), a.Message
		}
		result.Attachments = append(result.Attachments, member)
	}
	return result, nil
}

// insideResult takes the generation's folder off a published path.
func insideResult(m Manifest, published string) string {
	for _, f := range m.Files {
		for _, output := range job.Outputs() {
			if dir, name := path.Split(f.Path); name == output.File && !strings.HasPrefix(f.Path, job.AttachDir+"/") {
				return strings.TrimPrefix(published, dir)
			}
		}
	}
	return published
}

func (p *Pipeline) copyFile(ctx context.Context, t *task, m Manifest, f job.File, name string) (job.File, error) {
	body, err := p.Sink.Open(ctx, m.Source, f.Path)
	if err != nil {
		return job.File{}, err
	}
	defer body.Close()
	file := filepath.Join(t.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return job.File{}, err
	}
	copied := job.File{Path: name, Bytes: f.Bytes, SHA256: f.SHA256, MediaType: f.MediaType}
	if name != job.JSONFile && name != job.ChunksFile {
		return copied, writeTo(file, func(w io.Writer) error {
			_, err := io.Copy(w, body)
			return err
		})
	}
	sum := sha256.New()
	err = writeTo(file, func(w io.Writer) error {
		copied.Bytes, err = copyOwn(io.MultiWriter(w, sum), body, name, m.Source, t.job.Source, t.job.Limits.Output)
		return err
	})
	copied.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return copied, err
}

func writeTo(name string, write func(io.Writer) error) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(out, 64<<10)
	err = write(buffer)
	return errors.Join(err, buffer.Flush(), out.Close())
}
