package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"

	"decant/handler/internal/job"
	"decant/handler/internal/lockdir"
	"decant/handler/internal/pipeline"
)

// places are the folders in which results are being made now. They are in a folder of this process's own, locked as long as it
// lives, so that the next process can tell what is left of one that was killed.
type places struct {
	mu   sync.Mutex
	home string // "" before the first
	lock *os.File
	dirs map[string]string // the workplaces by their names
}

// homePattern names the folders of processes.
const homePattern = "at-work-"

// open makes a workplace; what was in it is removed.
func (p *places) open(staging, name string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.home == "" {
		if err := p.settle(staging); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(p.home, name)
	err := os.Mkdir(dir, 0o755)
	if err != nil { // an earlier try's, or somebody tidied up everything
		err = errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
	}
	if err == nil {
		p.dirs[name] = dir
	}
	return dir, err
}

// settle makes this process's folder and removes those of processes that are gone. The lock is held.
func (p *places) settle(staging string) error {
	if err := os.MkdirAll(staging, 0o755); err != nil {
		return err
	}
	lockdir.Sweep(staging, homePattern+"*", func(dir string) { _ = os.RemoveAll(dir) })
	home, err := os.MkdirTemp(staging, homePattern)
	if err != nil {
		return err
	}
	if p.lock, err = lockdir.Lock(home); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, unix.EBADF) {
		return errors.Join(err, os.Remove(home))
	}
	p.home, p.dirs = home, map[string]string{}
	return nil
}

// get gives the workplace of a name, if it is in use.
func (p *places) get(name string) (dir string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	dir, ok = p.dirs[name]
	return dir, ok
}

func (p *places) drop(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.dirs, name)
}

// close removes this process's folder.
func (p *places) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.home == "" {
		return nil
	}
	err := os.RemoveAll(p.home)
	if p.lock != nil {
		p.lock.Close()
	}
	p.home, p.lock, p.dirs = "", nil, nil
	return err
}

// Workplace implements pipeline.Workshop: the results are made in the folder that Publish moves to its place.
func (s *Sink) Workplace(_ context.Context, t pipeline.Target) (string, error) {
	dir, err := s.places.open(filepath.Dir(s.staging(t)), filepath.Base(s.staging(t)))
	return dir, storage(err)
}

// Abandon implements pipeline.Workshop.
func (s *Sink) Abandon(_ context.Context, t pipeline.Target) error {
	name := filepath.Base(s.staging(t))
	dir, ok := s.places.get(name)
	if !ok {
		return nil
	}
	s.places.drop(name)
	return storage(os.RemoveAll(dir))
}

// Close removes what was made and not published. Call it when no work is under way any more.
func (s *Sink) Close() error { return storage(s.places.close()) }

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
