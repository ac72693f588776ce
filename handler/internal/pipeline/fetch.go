package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// fromSource streams the document into the task's temporary file and hashes it on the way.
func (p *Pipeline) fromSource(ctx context.Context, t *task) error {
	if t.job.Source.Parent != "" {
		return p.fromParent(ctx, t)
	}
	return t.fill(func(w io.Writer) error {
		read, err := p.Fetcher.Fetch(ctx, t.job.Source, t.job.Limits.Input, w)
		if err != nil {
			return err
		}
		t.job.Source.Size = read.Size
		if t.job.Source.MediaType == "" {
			t.job.Source.MediaType = read.MediaType
		}
		return nil
	})
}

// fill creates the task's input file from what write writes.
func (t *task) fill(write func(io.Writer) error) error {
	file, err := os.OpenFile(t.file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	err = write(io.MultiWriter(file, hash))
	if err := errors.Join(err, file.Close()); err != nil {
		return fault.From(err)
	}
	t.hash = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// CopyLimited copies at most limit bytes; one byte more is fault.TooLarge. Fetchers use it.
func CopyLimited(w io.Writer, r io.Reader, limit int64) (int64, error) {
	n, err := io.Copy(w, io.LimitReader(r, limit))
	if err != nil {
		return n, err
	}
	var more [1]byte
	if extra, _ := io.ReadFull(r, more[:]); extra > 0 {
		return n, tooLarge(limit)
	}
	return n, nil
}

func tooLarge(limit int64) error {
	return fault.Newf(fault.TooLarge, "The file is larger than the limit of %d MiB. Split it, or raise the limit (--max-size, DECANT_MAX_INPUT).", limit/job.MiB)
}
