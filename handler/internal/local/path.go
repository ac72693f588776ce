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
		parts[0] = "_" + ownDir
	}
	return filepath.Join(root, filepath.Join(parts...))
}

// safeName makes one part of a blob's name fit for a file system; a part that is too long ends in a hash of itself.
func safeName(part string) string {
	part = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, part)
	if len(part) <= maxName {
		return part
	}
	sum := sha256.Sum256([]byte(part))
	short := part[:maxName-20]
	for !utf8.ValidString(short) && len(short) > maxName-24 {
		short = short[:len(short)-1]
	}
	return short + "~" + hex.EncodeToString(sum[:8])
}
