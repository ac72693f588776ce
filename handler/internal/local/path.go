package local

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/job"
)

// ownDir is decant's own folder below the results.
const ownDir = ".decant"

// maxName bounds one folder name, in bytes: file systems allow 255.
const maxName = 200

// resultDir is where a document's results lie below the results folder: `<container>/<path>`, made safe.
func resultDir(root string, src job.Source) string {
	clean := path.Join("/", src.Container, path.Join("/", src.Path))
	parts := strings.Split(strings.TrimPrefix(clean, "/"), "/")
	for i, part := range parts {
		parts[i] = safeName(part)
	}
	if parts[0] == ownDir {
		parts[0] = marked("_"+ownDir, ownDir)
	}
	return filepath.Join(root, filepath.Join(parts...))
}

// safeName makes one part of a blob's name fit for a file system. A part that was changed or cut ends in a hash of itself, since
// another one may look like it now.
func safeName(part string) string {
	safe := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, part)
	if safe == part && len(part) <= maxName {
		return part
	}
	return marked(safe, part)
}

// marked is a name, cut where it is too long, with a hash of the part that it stands for.
func marked(name, part string) string {
	sum := sha256.Sum256([]byte(part))
	short := name[:min(len(name), maxName-20)]
	for !utf8.ValidString(short) && len(short) > maxName-24 {
		short = short[:len(short)-1]
	}
	return short + "~" + hex.EncodeToString(sum[:8])
}
