package app

import (
	"os"
	"path/filepath"

	"decant/handler/internal/fault"
)

// sameFolder tells whether two paths lead to one folder that is there, however they are spelled.
func sameFolder(a, b string) bool {
	if b == "" {
		return false
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// refuseTaken gives inputs an error whose results would need a folder where a file is, as with `decant convert report.pdf --out .`.
func refuseTaken(inputs []input, out string) {
	for i, in := range inputs {
		taken := filepath.Join(out, filepath.FromSlash(in.name))
		info, err := os.Lstat(taken)
		if in.err != nil || err != nil || info.IsDir() {
			continue
		}
		inputs[i].err = fault.Newf(fault.BadRequest,
			"The results would be in a folder %s, but there is a file of this name. Choose another folder with --out.", taken)
	}
}
