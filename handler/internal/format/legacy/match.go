package legacy

import (
	"bytes"
	"strings"

	"decant/handler/internal/cfb"
	"decant/handler/internal/format"
)

// sure is the score of a main part that is there: above an archive's, below what names its content type.
const sure = 95

// matchWord knows Word 6 to 2003 by its main stream ([MS-DOC] 2.1.1), and Word 2 by its first bytes.
func matchWord(h *format.Head) int {
	switch {
	case h.HasStream("WordDocument"):
		return sure
	case h.HasPrefix("\xdb\xa5\x2d\x00", "\x9b\xa5\x21\x00") && h.HasExtension(".doc", ".dot"):
		return format.Structure
	}
	return damaged(h, ".doc", ".dot")
}

// matchExcel knows Excel 5 to 2003 by its main stream ([MS-XLS] 2.1.2), and Excel 2 to 4, which have no container, by their first record.
func matchExcel(h *format.Head) int {
	switch {
	case h.HasStream("Workbook", "Book"):
		return sure
	case h.HasPrefix("\x09\x00\x04\x00", "\x09\x02\x06\x00", "\x09\x04\x06\x00"):
		return format.Structure
	}
	return damaged(h, ".xls", ".xlt", ".xlw")
}

// damaged takes a compound file whose directory cannot be read by its name: the outside converter may know better.
func damaged(h *format.Head, extensions ...string) int {
	if h.HasPrefix(cfb.Magic) && len(h.Streams) == 0 && h.HasExtension(extensions...) {
		return format.Plausible
	}
	return 0
}

func matchStream(name string) func(*format.Head) int {
	return func(h *format.Head) int {
		if h.HasStream(name) {
			return sure
		}
		return 0
	}
}

// matchWordPerfect: the magic, product 1 (WordPerfect), file type 10 (document).
func matchWordPerfect(h *format.Head) int {
	if h.HasPrefix("\xffWPC") && len(h.Bytes) > 9 && h.Bytes[8] == 1 && h.Bytes[9] == 10 {
		return sure
	}
	return 0
}

// matchDeclared knows a package by the media type in its first member.
func matchDeclared(mediaType string) func(*format.Head) int {
	return func(h *format.Head) int {
		if strings.HasPrefix(string(h.Member("mimetype")), mediaType) {
			return sure
		}
		return 0
	}
}

func matchMember(name string) func(*format.Head) int {
	return func(h *format.Head) int {
		if h.HasMember(name) {
			return sure
		}
		return 0
	}
}

// The three programs of iWork share their container: since 2013 Index/Document.iwa, before that XML.
func matchPages(h *format.Head) int {
	modern := h.HasMember("Index/Document.iwa") && !isNumbers(h) && !isKeynote(h)
	if modern || bytes.Contains(h.Member("index.xml"), []byte("<sl:document")) {
		return sure
	}
	return 0
}

func matchNumbers(h *format.Head) int {
	if isNumbers(h) || bytes.Contains(h.Member("index.xml"), []byte("<ls:document")) {
		return sure
	}
	return 0
}

func matchKeynote(h *format.Head) int {
	if isKeynote(h) || h.HasMember("index.apxl") {
		return sure
	}
	return 0
}

func isNumbers(h *format.Head) bool {
	return h.HasMember("Index/CalculationEngine.iwa") && h.HasMember("Index/Document.iwa") && !isKeynote(h) && !h.HasExtension(".pages")
}

func isKeynote(h *format.Head) bool {
	for _, m := range h.Members {
		if strings.HasPrefix(m, "Index/Slide") || strings.HasPrefix(m, "Index/MasterSlide") || strings.HasPrefix(m, "Index/TemplateSlide") {
			return true
		}
	}
	return false
}
