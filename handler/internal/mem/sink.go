package mem

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Sink keeps results in memory, the files of a generation in a folder of its own: a pipeline.Sink. The zero value is ready.
type Sink struct {
	mu        sync.Mutex
	files     map[job.ID]map[string][]byte // by "<generation>/<path>"
	manifests map[job.ID][]byte
	published int
}

var _ pipeline.Sink = (*Sink)(nil)

// Published tells how many manifests were written.
func (s *Sink) Published() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.published
}

// Put implements pipeline.Sink.
func (s *Sink) Put(_ context.Context, t pipeline.Target, f job.File, body io.ReadSeeker) error {
	content, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files, s.manifests = map[job.ID]map[string][]byte{}, map[job.ID][]byte{}
	}
	id := t.Source.ID()
	if s.files[id] == nil {
		s.files[id] = map[string][]byte{}
	}
	s.files[id][strconv.FormatInt(t.Generation, 10)+"/"+f.Path] = content
	return nil
}

// Publish implements pipeline.Sink.
func (s *Sink) Publish(_ context.Context, t pipeline.Target, m pipeline.Manifest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, err := s.manifest(t.Source)
	if err == nil && known.Generation > t.Generation {
		return fault.New(fault.LeaseLost, "", nil)
	}
	text, err := m.Below(strconv.FormatInt(t.Generation, 10)).Marshal()
	if err != nil {
		return err
	}
	if s.manifests == nil {
		s.files, s.manifests = map[job.ID]map[string][]byte{}, map[job.ID][]byte{}
	}
	s.manifests[t.Source.ID()] = text
	s.published++
	return nil
}

// Manifest implements pipeline.Sink.
func (s *Sink) Manifest(_ context.Context, src job.Source) (pipeline.Manifest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manifest(src)
}

func (s *Sink) manifest(src job.Source) (m pipeline.Manifest, err error) {
	text, ok := s.manifests[src.ID()]
	if !ok {
		return m, fault.New(fault.NotFound, "", nil)
	}
	return m, json.Unmarshal(text, &m)
}

// Open implements pipeline.Sink.
func (s *Sink) Open(_ context.Context, src job.Source, path string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.files[src.ID()][path]
	if !ok {
		return nil, fault.New(fault.NotFound, "", nil)
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}

// Prune implements pipeline.Sink.
func (s *Sink) Prune(_ context.Context, src job.Source, keep int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	named := map[string]bool{}
	if m, err := s.manifest(src); err == nil {
		for _, f := range m.Files {
			named[f.Path] = true
		}
	}
	removed := 0
	for path := range s.files[src.ID()] {
		folder, _, _ := strings.Cut(path, "/")
		generation, _ := strconv.ParseInt(folder, 10, 64)
		if generation < keep && !named[path] {
			delete(s.files[src.ID()], path)
			removed++
		}
	}
	return removed, nil
}

var _ pipeline.Results = (*Sink)(nil)

// Files implements pipeline.Results. All files have been there for ever.
func (s *Sink) Files(_ context.Context, cursor string, limit int) (list []pipeline.ResultFile, next string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.manifests {
		list = append(list, pipeline.ResultFile{Name: string(id) + "/" + job.ManifestFile, DocumentID: id, Manifest: true})
	}
	for id, files := range s.files {
		for path := range files {
			list = append(list, pipeline.ResultFile{Name: string(id) + "/" + path, DocumentID: id})
		}
	}
	list = slices.DeleteFunc(list, func(f pipeline.ResultFile) bool { return f.Name <= cursor })
	slices.SortFunc(list, func(a, b pipeline.ResultFile) int { return strings.Compare(a.Name, b.Name) })
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Name
	}
	return list, next, nil
}

// RemoveFile implements pipeline.Results.
func (s *Sink) RemoveFile(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, path, _ := strings.Cut(name, "/")
	if path == job.ManifestFile {
		delete(s.manifests, job.ID(id))
	}
	delete(s.files[job.ID(id)], path)
	return nil
}

// Remove implements pipeline.Sink.
func (s *Sink) Remove(_ context.Context, src job.Source) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.manifests, src.ID())
	delete(s.files, src.ID())
	return nil
}
