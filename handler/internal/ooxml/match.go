package ooxml

import (
	"bytes"
	"strings"

	"decant/handler/internal/cfb"
	"decant/handler/internal/format"
)

// Match tells how sure a file is an Office package of a kind, by its content types, which name the main part whatever it is called,
// or by the usual name of the main part. A protected file is a compound file, and a package that was cut off has lost its directory:
// both are told from others by their names only.
func Match(h *format.Head, mainPart string, mainTypes, extensions []string) int {
	if h.HasPrefix(cfb.Magic) && h.HasExtension(extensions...) {
		return format.Plausible
	}
	types := bytes.ToLower(h.Member("[Content_Types].xml"))
	for _, kind := range mainTypes {
		if bytes.Contains(types, []byte(kind)) {
			return format.Certain
		}
	}
	for _, name := range h.Members {
		if strings.EqualFold(name, mainPart) {
			return format.Structure
		}
	}
	if h.IsTornPackage(extensions...) {
		return format.Structure
	}
	return 0
}
