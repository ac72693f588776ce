package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize/english"

	"decant/handler/internal/fault"
	"decant/handler/internal/local"
)

// input is one document named on the command line, or the reason why it cannot be read.
type input struct {
	path  string // to open
	shown string // to people: as it was named
	name  string // below the results folder, slashes
	pipe  bool   // spooled from standard input
	err   error
}

// inputOf is the input of a path.
func inputOf(path string, err error) input {
	return input{path: path, shown: filepath.Clean(path), name: resultName(path), err: err}
}

// checkPaths refuses arguments that name nothing, before any file is looked at. stdin is true where - is standard input.
func checkPaths(args []string, stdin bool) error {
	switch {
	case len(args) == 0 && stdin:
		return usage{errors.New("name at least one file or folder, or - for standard input")}
	case len(args) == 0:
		return usage{errors.New("name at least one file or folder")}
	case slices.Contains(args, ""):
		return usage{errors.New("an argument is empty; name a file or folder")}
	case !stdin && slices.Contains(args, "-"):
		return usage{errors.New("- is no file, and standard input is not read by this command; name a file or folder (./- for a file of that name)")}
	}
	return nil
}

// leftOut is what folders hold and nobody named: hidden files and folders, and links to folders, which are counted, and folders
// with results of earlier runs.
type leftOut struct {
	hidden, links int
	results       []string
}

// tell says on w what was left out, if anything.
func (l leftOut) tell(w io.Writer) {
	for _, folder := range l.results {
		fmt.Fprintf(w, "Left out: %s, which holds results of decant. Name it to convert it all the same.\n", printable(folder))
	}
	var parts []string
	if l.hidden > 0 {
		parts = append(parts, english.Plural(l.hidden, "hidden file or folder", "hidden files or folders"))
	}
	if l.links > 0 {
		parts = append(parts, english.Plural(l.links, "link to a folder", "links to folders"))
	}
	if parts != nil {
		fmt.Fprintf(w, "Left out: %s. Name them to have them.\n", strings.Join(parts, ", "))
	}
}

// finder finds the documents that the arguments of a command name: files as they are, folders with everything in them.
type finder struct {
	out   string // the folder of the results, which is left out; "" where there is none
	stdin bool   // what cannot be opened like a file may be given on standard input
	left  leftOut
}

// find lists the documents. Hidden files and folders inside a folder are left out and counted; the folder of the results and those
// of other runs are left out too. What cannot be read is an input with an error, so that it is reported like any other failure.
func (f *finder) find(args []string) []input {
	var inputs []input
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			inputs = append(inputs, inputOf(arg, statFault(arg, err)))
		case info.IsDir():
			inputs = append(inputs, f.folder(arg)...)
		default:
			inputs = append(inputs, inputOf(arg, f.irregular(arg, info)))
		}
	}
	return unique(inputs)
}

func (f *finder) folder(root string) []input {
	var inputs []input
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			inputs = append(inputs, inputOf(path, statFault(path, err)))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if path != root {
			if ours, err := f.leave(path, d); ours {
				return err
			}
		}
		if d.IsDir() {
			return nil
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			inputs = append(inputs, inputOf(path, statFault(path, err)))
		case info.IsDir():
			f.left.links++ // a link to a folder: following it could go round in circles
		default:
			inputs = append(inputs, inputOf(path, f.irregular(path, info)))
		}
		return nil
	})
	if err == nil && len(inputs) == 0 {
		err = fault.Newf(fault.NotFound, "The folder %s has no files. Name a file, or a folder with files.", root)
	}
	if err != nil {
		inputs = append(inputs, inputOf(root, err))
	}
	sort.Slice(inputs, func(i, j int) bool { return inputs[i].path < inputs[j].path })
	return inputs
}

// leave tells whether an entry of a folder is left out, and what the walk is to do then: hidden ones are counted, other folders of
// results are noted; the folder of the results is neither, which is left out because every run would convert those of the run before.
func (f *finder) leave(path string, d fs.DirEntry) (left bool, next error) {
	hidden := strings.HasPrefix(d.Name(), ".")
	if d.IsDir() {
		next = fs.SkipDir
	}
	switch {
	case f.out != "" && d.IsDir() && (sameFolder(path, f.out) || sameFolder(path, filepath.Join(f.out, ".decant"))):
		return true, next
	case hidden:
		f.left.hidden++
		return true, next
	case d.IsDir() && local.HoldsResults(path):
		f.left.results = append(f.left.results, path)
		return true, next
	}
	return false, nil
}

// resultName is where a file's results go below the results folder: its path without leading "/", "./" and "../".
func resultName(path string) string {
	name := filepath.ToSlash(filepath.Clean(path))
	name = strings.TrimPrefix(name, filepath.ToSlash(filepath.VolumeName(path)))
	for strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "../"), "/")
	}
	if name == "" || name == "." || name == ".." {
		return "document"
	}
	return name
}

// unique takes each file once, however it is named, and keeps two from sharing a result folder: the later one gets a number.
func unique(inputs []input) []input {
	seen := map[string]bool{}
	files := map[string]bool{}
	kept := inputs[:0]
	for _, in := range inputs {
		if file, err := filepath.Abs(in.path); err == nil {
			if files[file] {
				continue // named twice
			}
			files[file] = true
		}
		taken := seen[in.name]
		for n := 2; taken; n++ {
			candidate := fmt.Sprintf("%s (%d)", in.name, n)
			if taken = seen[candidate]; !taken {
				in.name = candidate
			}
		}
		seen[in.name] = true
		kept = append(kept, in)
	}
	return kept
}

// statFault says of a path that cannot be looked at why.
func statFault(path string, err error) error {
	reason := err
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		reason = inner.Err
	}
	target, _ := os.Readlink(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && target != "":
		return fault.Newf(fault.NotFound, "%s is a link to %s, and there is nothing. Put back what it led to, or remove the link.", path, target)
	case errors.Is(err, fs.ErrNotExist):
		return fault.Newf(fault.NotFound, "There is no file or folder %s. Check the name.", path)
	case errors.Is(err, fs.ErrPermission):
		return fault.Newf(fault.Denied, "%s may not be read. Check its permissions.", path)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EINVAL):
		return fault.Newf(fault.NotFound, "There is no file or folder %s (%v). Check the name.", path, reason)
	}
	return fault.New(fault.Storage, fmt.Sprintf("%s cannot be read (%v). Check the disk or the network that it is on.", path, reason), err)
}

// irregular refuses what is not a file: reading from a pipe or a device could wait for ever.
func (f *finder) irregular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	kind, advice := "a special file", "Copy its content into a file."
	switch {
	case info.Mode()&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
		if f.stdin {
			advice = "Copy its content into a file, or give it to decant convert - on standard input."
		}
	case info.Mode()&fs.ModeSocket != 0:
		kind = "a socket"
	case info.Mode()&fs.ModeDevice != 0:
		kind = "a device"
	}
	return fault.Newf(fault.BadRequest, "%s is %s, not a file. %s", path, kind, advice)
}

// spool copies standard input to a file, at most limit bytes.
func spool(r io.Reader, path string, limit int64) error {
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return fault.New(fault.BadRequest, "Standard input is a folder, not a document. Name the folder instead of -.", nil)
		}
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer to.Close()
	n, err := io.Copy(to, io.LimitReader(r, limit+1))
	switch reading := (*fs.PathError)(nil); {
	case errors.As(err, &reading) && reading.Op == "read":
		return fault.New(fault.BadRequest, fmt.Sprintf("Standard input cannot be read (%v). Give it a document, or name a file.", reading.Err), err)
	case err != nil:
		return err
	case n > limit:
		return fault.Newf(fault.TooLarge, "Standard input has more than the limit of %d bytes. Raise it with --max-size.", limit)
	}
	return to.Close()
}

// standardInput is the name under which "-" is converted.
const standardInput = "stdin"
