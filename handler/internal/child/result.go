package child

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// checkResult does not believe the child: a captured one could name /etc/passwd as its result, or put a link to it where
// document.md should be, for the parent to publish. Every entry of the output directory must be a directory or a regular file
// with one name, every file named in the answer must be there with its size, and all together must be within the limit.
func checkResult(q job.Request, result job.Result) *fault.Error {
	sizes, sum, err := inspect(q.OutDir, q.Job.Limits.Output)
	switch {
	case err != nil:
		return badResult(err)
	case sum > q.Job.Limits.Output || len(sizes) > maxEntries:
		return fault.New(fault.LimitOutput, "", fmt.Errorf("%d bytes of results", sum))
	}
	for _, file := range result.Files {
		if err := checkFile(sizes, q.OutDir, file.Path, file.Bytes); err != nil {
			return badResult(err)
		}
	}
	for _, a := range result.Attachments {
		if a.File == "" {
			continue
		}
		if err := checkFile(sizes, q.OutDir, a.File, a.Bytes); err != nil {
			return badResult(err)
		}
	}
	return nil
}

func badResult(err error) *fault.Error {
	return fault.New(fault.Crash, "The conversion's result is not what it says it is, and was thrown away; nothing else was affected. Report the file.", err)
}

// inspect gives the sizes of the files below dir by their paths, and their sum as diskUse counts it; of folders the size is -1.
// It ends early when there is too much, and with an error when something is neither a folder nor a regular file with one name.
func inspect(dir string, limit int64) (sizes map[string]int64, sum int64, err error) {
	sizes = map[string]int64{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case sum > limit || len(sizes) > maxEntries:
			return fs.SkipAll
		case d.IsDir():
			sizes[path] = -1
			sum += directorySize
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || links(info) > 1 {
			return fmt.Errorf("result %q is a %s with %d names", d.Name(), info.Mode().Type(), links(info))
		}
		sizes[path] = info.Size()
		sum += info.Size()
		return nil
	})
	return sizes, sum, err
}

func checkFile(sizes map[string]int64, dir, name string, size int64) error {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return fmt.Errorf("result %q is not below the output directory", name)
	}
	if found, ok := sizes[filepath.Join(dir, local)]; !ok || found < 0 || found != size {
		return fmt.Errorf("result %q is not a file of %d bytes", name, size)
	}
	return nil
}
