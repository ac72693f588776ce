package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/dustin/go-humanize/english"

	"decant/handler/internal/fault"
)

// input is one document named on the command line, or the reason why it cannot be read.
type input struct {
	path string // to open
	name string // below the results folder, slashes
	pipe bool   // spooled from standard input
	err  error
}

// leftOut counts what folders hold and nobody named: hidden files and folders, and links to folders.
type leftOut struct{ hidden, links int }

// tell says on w what was left out, if anything.
func (l leftOut) tell(w io.Writer) {
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

// gatherInputs finds the documents that the arguments name: files as they are, folders with everything in them.
// Hidden files and folders inside a folder are left out and counted; the folder of the results (none: "") is left out too.
// What cannot be read is an input with an error, so that it is reported like any other failure.
func gatherInputs(args []string, out string) ([]input, leftOut) {
	var inputs []input
	var left leftOut
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			inputs = append(inputs, input{path: arg, name: resultName(arg), err: statFault(arg, err)})
		case info.IsDir():
			inputs = append(inputs, folder(arg, out, &left)...)
		default:
			inputs = append(inputs, input{path: arg, name: resultName(arg), err: irregular(arg, info)})
		}
	}
	return unique(inputs), left
}

func folder(root, out string, left *leftOut) []input {
	var inputs []input
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			inputs = append(inputs, input{path: path, name: resultName(path), err: statFault(path, err)})
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			if sameFolder(path, filepath.Join(out, ".decant")) {
				return fs.SkipDir // our own
			}
			left.hidden++
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if path != root && sameFolder(path, out) {
				return fs.SkipDir // else every run would convert the results of the run before
			}
			return nil
		}
		info, err := os.Stat(path)
		if err != nil {
			inputs = append(inputs, input{path: path, name: resultName(path), err: statFault(path, err)})
			return nil
		}
		if info.IsDir() {
			left.links++
			return nil // a link to a folder: following it could go round in circles
		}
		inputs = append(inputs, input{path: path, name: resultName(path), err: irregular(path, info)})
		return nil
	})
	if err == nil && len(inputs) == 0 {
		err = fault.Newf(fault.NotFound, "The folder %s has no files. Name a file, or a folder with files.", root)
	}
	if err != nil {
		inputs = append(inputs, input{path: root, name: resultName(root), err: err})
	}
	sort.Slice(inputs, func(i, j int) bool { return inputs[i].path < inputs[j].path })
	return inputs
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

func statFault(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Newf(fault.NotFound, "There is no file or folder %s. Check the name.", path)
	case errors.Is(err, fs.ErrPermission):
		return fault.Newf(fault.Denied, "%s may not be read. Check its permissions.", path)
	}
	return err
}

// irregular refuses what is not a file: reading from a pipe or a device could wait for ever.
func irregular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	kind := "a special file"
	switch {
	case info.Mode()&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case info.Mode()&fs.ModeSocket != 0:
		kind = "a socket"
	case info.Mode()&fs.ModeDevice != 0:
		kind = "a device"
	}
	return fault.Newf(fault.BadRequest, "%s is %s, not a file. Copy its content into a file, or give it to decant convert - on standard input.", path, kind)
}

// spool copies standard input to a file in dir, at most limit bytes.
func spool(r io.Reader, dir, name string, limit int64) (string, error) {
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Close()
	n, err := io.Copy(f, io.LimitReader(r, limit+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if n > limit {
		return "", fault.Newf(fault.TooLarge, "Standard input has more than the limit of %d bytes. Raise it with --max-size.", limit)
	}
	return path, f.Close()
}

// standardInput is the name under which "-" is converted.
const standardInput = "stdin"
