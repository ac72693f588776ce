package mem

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Files are source files in memory: a pipeline.Fetcher. The zero value is empty and ready.
type Files struct {
	mu      sync.Mutex
	files   map[job.ID]file
	version int
}

type file struct {
	source job.Source
	body   []byte
}

var _ pipeline.Fetcher = (*Files)(nil)

// Upload keeps a file, in place of the one that was there, and gives it as an event would describe it.
func (f *Files) Upload(src job.Source, body []byte) job.Source {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	src.ETag, src.Size = "0x"+strconv.Itoa(f.version), int64(len(body))
	src.Sequencer = strconv.FormatInt(int64(f.version), 16)
	if f.files == nil {
		f.files = map[job.ID]file{}
	}
	f.files[src.ID()] = file{src, slices.Clone(body)}
	return src
}

// Remove deletes a file, and gives the source as a delete event would describe it.
func (f *Files) Remove(src job.Source) job.Source {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	delete(f.files, src.ID())
	src.Sequencer = strconv.FormatInt(int64(f.version), 16)
	return src
}

// Stat implements pipeline.Fetcher.
func (f *Files) Stat(_ context.Context, src job.Source) (job.Source, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept, ok := f.files[src.ID()]
	if !ok {
		return src, fault.New(fault.Gone, "", nil)
	}
	return kept.source, nil
}

// Fetch implements pipeline.Fetcher.
func (f *Files) Fetch(ctx context.Context, src job.Source, limit int64, w io.Writer) (job.Source, error) {
	now, err := f.Stat(ctx, src)
	if err != nil {
		return src, err
	}
	if src.ETag != "" && now.ETag != src.ETag {
		return now, fault.New(fault.Stale, "", nil)
	}
	f.mu.Lock()
	body := f.files[src.ID()].body
	f.mu.Unlock()
	_, err = pipeline.CopyLimited(w, bytes.NewReader(body), limit)
	return now, err
}

// List gives the sources in a container whose paths begin with prefix, at most limit after the cursor, in the order of paths.
func (f *Files) List(_ context.Context, container, prefix, cursor string, limit int) (list []job.Source, next string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, kept := range f.files {
		src := kept.source
		if src.Container == container && strings.HasPrefix(src.Path, prefix) && src.Path > cursor {
			list = append(list, src)
		}
	}
	slices.SortFunc(list, func(a, b job.Source) int { return strings.Compare(a.Path, b.Path) })
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Path
	}
	return list, next, nil
}
