package odf

import (
	"bytes"
	"strings"

	"decant/handler/internal/format"
)

// Match tells how sure a file is an OpenDocument of a kind: "text", "spreadsheet" or "presentation", which names both its media
// type and the element of its body. Extensions are those of packages: a package that was cut off has no more than its name.
func Match(h *format.Head, kind string, extensions ...string) int {
	mediaType := strings.TrimSpace(string(h.Member("mimetype")))
	switch {
	case strings.HasPrefix(mediaType, "application/vnd.oasis.opendocument."+kind):
		return format.Certain
	case mediaType == "" && bytes.Contains(h.Member("content.xml"), []byte("<office:"+kind)):
		return format.Structure
	case strings.Contains(h.Text, "<office:document ") && strings.Contains(h.Text, "opendocument."+kind):
		return format.Certain
	case h.IsTornPackage(extensions...):
		return format.Structure
	}
	return 0
}
