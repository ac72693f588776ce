package blob

import (
	"path"
	"strconv"
	"unicode/utf8"

	"decant/handler/internal/job"
)

// maxPrefix bounds the part of a result's name that comes from its document, in bytes: blob names may have 1,024 characters.
const maxPrefix = 800

// folder is where a document's results lie in the container of results, with a slash at the end.
func folder(src job.Source) string {
	name := src.Container + "/" + src.Path
	if len(name) > maxPrefix {
		name = name[:maxPrefix]
		for !utf8.ValidString(name) {
			name = name[:len(name)-1]
		}
		name += "~" + string(src.ID())
	}
	return name + "/"
}

func generationDir(generation int64) string { return strconv.FormatInt(generation, 10) }

// fileName is the blob of a published file by its path in the manifest; false when the path leads out of the folder.
func fileName(src job.Source, relative string) (string, bool) {
	clean := path.Clean("/" + relative)
	return folder(src) + clean[1:], clean[1:] == relative
}

func cacheName(contentHash, fingerprint string) string {
	return ".cache/" + contentHash[:min(2, len(contentHash))] + "/" + contentHash + "-" + fingerprint + ".json"
}
