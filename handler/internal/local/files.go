package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Files reads source files from the file system: a pipeline.Fetcher. A file's ETag is its time of change and its size.
type Files struct {
	resolve func(job.Source) string
}

var _ pipeline.Fetcher = (*Files)(nil)

// NewFiles makes a fetcher; resolve gives the file of a source.
func NewFiles(resolve func(job.Source) string) *Files { return &Files{resolve: resolve} }

// Folder resolves sources to files below root: `<container>/<path>`, never outside it.
func Folder(root string) func(job.Source) string {
	return func(src job.Source) string {
		return filepath.Join(root, filepath.FromSlash(path.Join("/", src.Container, path.Join("/", src.Path))))
	}
}

// Stat implements pipeline.Fetcher.
func (f *Files) Stat(_ context.Context, src job.Source) (job.Source, error) {
	info, err := os.Stat(f.resolve(src))
	if err != nil {
		return src, unreadable(err)
	}
	return describe(src, info)
}

// describe fills in what the file system knows. Only regular files can be read: opening a pipe would wait for ever.
func describe(src job.Source, info fs.FileInfo) (job.Source, error) {
	switch {
	case info.IsDir():
		return src, fault.New(fault.BadRequest, "This is a folder, not a file. Name the files in it, or the folder as a whole where folders are taken.", nil)
	case !info.Mode().IsRegular():
		return src, fault.New(fault.BadRequest, "This is not a regular file but a pipe, socket or device. Copy its content to a file, or use standard input (-).", nil)
	}
	src.ETag = fmt.Sprintf("%x-%x", info.ModTime().UnixNano(), info.Size())
	src.Size = info.Size()
	return src, nil
}

// Fetch implements pipeline.Fetcher.
func (f *Files) Fetch(ctx context.Context, src job.Source, limit int64, w io.Writer) (job.Source, error) {
	before, err := f.Stat(ctx, src)
	if err != nil {
		return src, err
	}
	if src.ETag != "" && before.ETag != src.ETag {
		return before, fault.New(fault.Stale, "", nil)
	}
	if before.Size > limit {
		return before, tooLarge(before.Size, limit)
	}
	file, err := os.Open(f.resolve(src))
	if err != nil {
		return before, unreadable(err)
	}
	defer file.Close()
	if _, err := pipeline.CopyLimited(w, withContext{ctx, file}, limit); err != nil {
		return before, unreadable(err)
	}
	info, err := file.Stat()
	if err != nil {
		return before, unreadable(err)
	}
	if after, err := describe(src, info); err != nil || after.ETag != before.ETag {
		return after, fault.New(fault.Stale, "The file changed while it was being read. It will be read again.", err)
	}
	return before, nil
}

func tooLarge(size, limit int64) error {
	return fault.Newf(fault.TooLarge, "The file has %.1f MiB, the limit is %.1f MiB. Split it, or raise the limit (--max-size, DECANT_MAX_INPUT).",
		float64(size)/float64(job.MiB), float64(limit)/float64(job.MiB))
}

// unreadable gives an error on opening a source its kind.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Gone, "", err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fault.New(fault.Denied, "", err)
	}
	return storage(err)
}

// withContext is a reader that stops when its context ends.
type withContext struct {
	ctx context.Context
	r   io.Reader
}

func (c withContext) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, fault.From(err)
	}
	return c.r.Read(p)
}
