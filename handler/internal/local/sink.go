package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Sink keeps results below a folder, flat, one folder a document: a pipeline.Sink. A generation is staged beside and
// takes the document's folder over in one rename, so readers see the old results or the new, never a mixture.
type Sink struct {
	root   string
	places places
}

var (
	_ pipeline.Sink     = (*Sink)(nil)
	_ pipeline.Workshop = (*Sink)(nil)
)

// NewSink opens, or makes when it is first written to, a folder for results.
func NewSink(root string) *Sink { return &Sink{root: root} }

// Dir is the folder of a document's results.
func (s *Sink) Dir(src job.Source) string { return resultDir(s.root, src) }

func (s *Sink) staging(t pipeline.Target) string {
	return filepath.Join(s.root, ownDir, "staging", string(t.Source.ID())+"-"+strconv.FormatInt(t.Generation, 10))
}

func (s *Sink) locked(src job.Source, work func() error) error {
	return withLock(filepath.Join(s.root, ownDir, "locks", string(src.ID()[1:3])), work)
}

// Put implements pipeline.Sink.
func (s *Sink) Put(ctx context.Context, t pipeline.Target, f job.File, body io.ReadSeeker) error {
	name := filepath.FromSlash(f.Path)
	if !filepath.IsLocal(name) {
		return fault.New(fault.Internal, "", fmt.Errorf("result file %q lies outside the results", f.Path))
	}
	file := filepath.Join(s.staging(t), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return storage(err)
	}
	if whole, ok := body.(*os.File); ok && linkTo(whole, file) {
		return nil
	}
	out, err := os.Create(file)
	if err != nil {
		return storage(err)
	}
	_, err = io.Copy(out, withContext{ctx, body})
	return storage(errors.Join(err, out.Close()))
}

// linkTo gives a file that nobody writes to any more a second name, which costs nothing however large it is. It works on one file
// system only, and not everywhere.
func linkTo(f *os.File, name string) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < linkFrom {
		return false
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return os.Link(f.Name(), name) == nil && sameFile(f, name)
}

// linkFrom is the size in bytes from which on results are linked; smaller ones are copied, with the rights that new files get here.
const linkFrom = 64 << 20

// sameFile tells whether a file still has its name: what was linked by that name is what was opened.
func sameFile(f *os.File, name string) bool {
	a, err := f.Stat()
	b, err2 := os.Stat(name)
	return err == nil && err2 == nil && os.SameFile(a, b)
}

// Publish implements pipeline.Sink.
func (s *Sink) Publish(_ context.Context, t pipeline.Target, m pipeline.Manifest) error {
	text, err := m.Marshal()
	if err != nil {
		return err
	}
	staged := s.staging(t)
	place, made := s.places.get(filepath.Base(staged))
	if made {
		staged = place
	} else {
		if err := os.MkdirAll(staged, 0o755); err != nil {
			return storage(err)
		}
	}
	manifest := filepath.Join(staged, job.ManifestFile)
	if err := fresh(manifest, text); err != nil {
		return storage(err)
	}
	if made {
		if err := tidy(staged, m.Files); err != nil {
			return storage(fmt.Errorf("tidy results: %w", err))
		}
	}
	err = s.locked(t.Source, func() error {
		dir := s.Dir(t.Source)
		known, err := readManifest(dir)
		if err == nil && known.Generation > t.Generation {
			return errors.Join(fault.New(fault.LeaseLost, "", nil), os.RemoveAll(staged))
		}
		if err := takeOver(staged, dir); err != nil {
			return storage(fmt.Errorf("publish results: %w", err))
		}
		return storage(s.keepInner(staged, dir))
	})
	if made && err == nil {
		s.places.drop(filepath.Base(s.staging(t)))
	}
	return err
}

// takeOver puts the staged folder in dir's place; what was in dir is at staged afterwards.
func takeOver(staged, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(staged, dir)
	}
	return exchange(staged, dir)
}

// keepInner moves results of other documents, whose paths continue this one's, from the replaced folder to the new one,
// and removes the replaced one.
func (s *Sink) keepInner(replaced, dir string) error {
	entries, err := os.ReadDir(replaced)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	own := ownEntries(replaced)
	for _, e := range entries {
		if own == nil || own[e.Name()] {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, e.Name())); errors.Is(err, fs.ErrNotExist) {
			if err := os.Rename(filepath.Join(replaced, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(replaced)
}

// ownEntries are the names in a result folder that its manifest accounts for; with no manifest, the usual ones.
func ownEntries(dir string) map[string]bool {
	own := map[string]bool{job.ManifestFile: true, job.ImagesDir: true, job.AttachDir: true}
	for _, output := range job.Outputs() {
		own[output.File] = true
	}
	if m, err := readManifest(dir); err == nil {
		for _, f := range m.Files {
			first, _, _ := strings.Cut(f.Path, "/")
			own[first] = true
		}
	}
	return own
}

// Manifest implements pipeline.Sink.
func (s *Sink) Manifest(_ context.Context, src job.Source) (pipeline.Manifest, error) {
	return readManifest(s.Dir(src))
}

func readManifest(dir string) (m pipeline.Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, job.ManifestFile))
	if err != nil {
		return m, storage(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fault.New(fault.NotFound, "", fmt.Errorf("read manifest: %w", err))
	}
	return m, nil
}

// Open implements pipeline.Sink.
func (s *Sink) Open(_ context.Context, src job.Source, path string) (io.ReadCloser, error) {
	name := filepath.FromSlash(path)
	if !filepath.IsLocal(name) {
		return nil, fault.New(fault.NotFound, "", nil)
	}
	file, err := os.Open(filepath.Join(s.Dir(src), name))
	if err != nil {
		return nil, storage(err)
	}
	return file, nil
}

// Prune implements pipeline.Sink: published generations replace each other, so only staged ones can be left.
func (s *Sink) Prune(_ context.Context, src job.Source, keep int64) (int, error) {
	staged, err := filepath.Glob(filepath.Join(s.root, ownDir, "staging", string(src.ID())+"-*"))
	removed := 0
	for _, dir := range staged {
		_, number, _ := strings.Cut(filepath.Base(dir), "-")
		if generation, _ := strconv.ParseInt(number, 10, 64); generation < keep {
			err = errors.Join(err, os.RemoveAll(dir))
			removed++
		}
	}
	return removed, storage(err)
}

// Remove implements pipeline.Sink.
func (s *Sink) Remove(_ context.Context, src job.Source) error {
	return s.locked(src, func() error {
		dir := s.Dir(src)
		own := ownEntries(dir)
		if err := os.Remove(filepath.Join(dir, job.ManifestFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storage(err)
		}
		for name := range own {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				return storage(err)
			}
		}
		s.removeEmpty(dir)
		staged, _ := filepath.Glob(filepath.Join(s.root, ownDir, "staging", string(src.ID())+"-*"))
		for _, left := range staged {
			if err := os.RemoveAll(left); err != nil {
				return storage(err)
			}
		}
		return nil
	})
}

// removeEmpty removes a folder and those above it, up to the root, as long as nothing is in them.
func (s *Sink) removeEmpty(dir string) {
	for dir != s.root && len(dir) > len(s.root) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}
