package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// places are the staging folders in which results are being made now.
type places struct {
	mu   sync.Mutex
	dirs map[string]bool
}

func (p *places) add(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dirs == nil {
		p.dirs = map[string]bool{}
	}
	p.dirs[dir] = true
}

func (p *places) drop(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.dirs, dir)
}

func (p *places) has(dir string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dirs[dir]
}

// Workplace implements pipeline.Workshop: the results are made in the folder that Publish moves to its place.
func (s *Sink) Workplace(_ context.Context, t pipeline.Target) (string, error) {
	dir := s.staging(t)
	err := os.Mkdir(dir, 0o755)
	if err != nil { // it is the first one, or one was left behind by somebody who was killed
		err = errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
	}
	if err != nil {
		return "", storage(err)
	}
	s.places.add(dir)
	return dir, nil
}

// Abandon implements pipeline.Workshop.
func (s *Sink) Abandon(_ context.Context, t pipeline.Target) error {
	dir := s.staging(t)
	s.places.drop(dir)
	return storage(os.RemoveAll(dir))
}

// tidy leaves in a folder what the manifest names and the manifest, which is there already, and gives everything the modes that
// this process gives its own files: whoever made the files need not have meant well.
func tidy(dir string, files []job.File) error {
	manifest := filepath.Join(dir, job.ManifestFile)
	fileMode, dirMode, err := ownModes(manifest, dir)
	if err != nil {
		return err
	}
	keep := map[string]bool{manifest: true, dir: true}
	for _, f := range files {
		for path := filepath.Join(dir, filepath.FromSlash(f.Path)); path != dir && len(path) > len(dir); path = filepath.Dir(path) {
			keep[path] = true
		}
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !keep[path] && d.IsDir():
			if err := os.RemoveAll(path); err != nil {
				return err
			}
			return fs.SkipDir
		case !keep[path]:
			return os.Remove(path)
		case d.IsDir():
			return setMode(path, d, dirMode)
		case !d.Type().IsRegular():
			return fmt.Errorf("result %q is not a regular file", d.Name())
		}
		return setMode(path, d, fileMode)
	})
}

func setMode(path string, d fs.DirEntry, want fs.FileMode) error {
	info, err := d.Info()
	if err != nil || info.Mode() == want {
		return err
	}
	return os.Chmod(path, want)
}

// ownModes are those of a file and of a folder that this process has just made.
func ownModes(file, dir string) (fileMode, dirMode fs.FileMode, err error) {
	f, err := os.Lstat(file)
	if err != nil {
		return 0, 0, err
	}
	d, err := os.Lstat(dir)
	if err != nil {
		return 0, 0, err
	}
	return f.Mode(), d.Mode(), nil
}

// fresh writes a file into a folder that nobody else sees yet; what has that name there is replaced.
func fresh(file string, content []byte) error {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if err = os.RemoveAll(file); err == nil {
			out, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		}
	}
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	return errors.Join(err, out.Close())
}
