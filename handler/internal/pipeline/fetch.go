package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

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
	file, err := openInput(t.bench.input)
	if err != nil {
		return err
	}
	hash := sha256.New()
	size := counter(0)
	err = write(io.MultiWriter(file, hash, &size))
	if err == nil {
		err = file.Truncate(int64(size)) // of the document before, if this one is shorter
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fault.From(err)
	}
	t.hash = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// counter counts the bytes that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
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
