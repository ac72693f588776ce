package pipeline

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"decant/handler/internal/fault"
)

// bench is a folder in which one document at a time is worked on.
type bench struct {
	dir   string
	input string // the document, in dir
	out   string // its results, in dir, unless the sink has room for them
}

// benches hands folders out, and with reuse takes them back emptied.
type benches struct {
	temp   string
	reuse  bool
	shared bool // processes live on
	mu     sync.Mutex
	free   []bench
}

func (b *benches) take() (bench, error) {
	b.mu.Lock()
	if n := len(b.free); n > 0 {
		used := b.free[n-1]
		b.free = b.free[:n-1]
		b.mu.Unlock()
		return used, nil
	}
	b.mu.Unlock()
	dir, err := os.MkdirTemp(b.temp, "decant-")
	if err != nil {
		return bench{}, fault.New(fault.LimitDisk, "There is no room or right to write temporary files. Free disk space, or set the temporary directory.", err)
	}
	return bench{dir: dir, input: filepath.Join(dir, "input"), out: filepath.Join(dir, "out")}, nil
}

// giveBack empties a folder for the next document, or removes it.
func (b *benches) giveBack(used bench) {
	if !b.reuse || !used.empty(!b.shared) {
		_ = os.RemoveAll(used.dir)
		return
	}
	b.mu.Lock()
	b.free = append(b.free, used)
	b.mu.Unlock()
}

// empty removes everything from the folder, or with keepInput everything but the input file, which is cut down, and tells whether
// that is how it is now.
func (b bench) empty(keepInput bool) bool {
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		path := filepath.Join(b.dir, e.Name())
		if path == b.input && keepInput {
			err = forget(path)
		} else {
			err = os.RemoveAll(path)
		}
		if err != nil {
			return false
		}
	}
	return true
}

// forget takes the content out of a file that will be written again, all but one zero byte: ext4 flushes a file to the disk that
// was cut down to nothing and written again, as it takes that for the saving of a document.
func forget(path string) error {
	file, err := openInput(path)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte{0}, 0)
	if err == nil {
		err = file.Truncate(1)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// openInput opens the input file to be written anew; what it holds is overwritten and must be cut off after that.
// Nothing but a plain file of this one name is written to.
func openInput(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
