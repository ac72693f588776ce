package child

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// checkResult does not believe the child: a captured one could name /etc/passwd as its result, or put a link to it where
// document.md should be, for the parent to publish. Every entry of the output directory must be a directory or a regular file
// with one name, every file named in the answer must be there with its size, and all together must be within the limit.
func checkResult(q job.Request, result job.Result) *fault.Error {
	if sum, over := diskUse(q.OutDir, q.Job.Limits.Output); over {
		return fault.New(fault.LimitOutput, "", fmt.Errorf("%d bytes of results", sum))
	}
	if err := onlyFiles(q.OutDir); err != nil {
		return badResult(err)
	}
	for _, file := range result.Files {
		if err := checkFile(q.OutDir, file.Path, file.Bytes); err != nil {
			return badResult(err)
		}
	}
	for _, a := range result.Attachments {
		if a.File == "" {
			continue
		}
		if err := checkFile(q.OutDir, a.File, a.Bytes); err != nil {
			return badResult(err)
		}
	}
	return nil
}

func badResult(err error) *fault.Error {
	return fault.New(fault.Crash, "The conversion's result is not what it says it is, and was thrown away; nothing else was affected. Report the file.", err)
}

func onlyFiles(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || links(info) > 1 {
			return fmt.Errorf("result %q is a %s with %d names", d.Name(), info.Mode().Type(), links(info))
		}
		return nil
	})
}

func checkFile(dir, name string, size int64) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("result %q is not below the output directory", name)
	}
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("result %q: %w", name, err)
	}
	if !info.Mode().IsRegular() || info.Size() != size {
		return fmt.Errorf("result %q has %d bytes, not %d", name, info.Size(), size)
	}
	return nil
}
