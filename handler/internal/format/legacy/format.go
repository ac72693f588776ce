package legacy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Parts of LibreOffice that read the formats, as Debian and Ubuntu name their packages.
const (
	Writer  = "writer"
	Calc    = "calc"
	Impress = "impress"
)

// kind is one format of the table.
type kind struct {
	name       format.Name
	title      string
	extensions string // separated by blanks, with dots
	mediaTypes string
	paged      string
	part       string // of LibreOffice
	save       string // what to save the file as instead
	match      func(*format.Head) int
	locked     func(*format.Input) lock // nil when that cannot be told
}

var kinds = []kind{
	{"doc", "Word document before 2007", ".doc .dot", "application/msword", "page", Writer, ".docx", matchWord, lockedWord},
	{"xls", "Excel workbook before 2007", ".xls .xlt .xlw", "application/vnd.ms-excel", "sheet", Calc, ".xlsx", matchExcel, lockedExcel},
	{"xlsb", "Excel binary workbook", ".xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12", "sheet", Calc, ".xlsx", matchMember("xl/workbook.bin"), nil},
	{"ppt", "PowerPoint presentation before 2007", ".ppt .pps .pot", "application/vnd.ms-powerpoint", "slide", Impress, ".pptx", matchStream("PowerPoint Document"), lockedSlides},
	{"wpd", "WordPerfect document", ".wpd .wp .wp5 .wp6", "application/vnd.wordperfect", "page", Writer, ".docx", matchWordPerfect, nil},
	{"wps", "Works document", ".wps", "application/vnd.ms-works", "page", Writer, ".docx", matchStream("MatOST"), nil},
	{"sxc", "StarOffice sheet", ".sxc .stc", "application/vnd.sun.xml.calc", "sheet", Calc, ".ods", matchDeclared("application/vnd.sun.xml.calc"), nil},
	{"sxi", "StarOffice slides", ".sxi .sti", "application/vnd.sun.xml.impress", "slide", Impress, ".odp", matchDeclared("application/vnd.sun.xml.impress"), nil},
	{"pages", "Pages document", ".pages", "application/vnd.apple.pages", "page", Writer, ".docx", matchPages, nil},
	{"numbers", "Numbers sheet", ".numbers", "application/vnd.apple.numbers", "sheet", Calc, ".xlsx", matchNumbers, nil},
	{"key", "Keynote presentation", ".key", "application/vnd.apple.keynote", "slide", Impress, ".pptx", matchKeynote, nil},
}

// Formats lists the formats of this package.
func Formats() []format.Format {
	list := make([]format.Format, len(kinds))
	for i, k := range kinds {
		list[i] = format.Format{
			Name: k.name, Title: k.title, Extensions: strings.Fields(k.extensions), MediaTypes: []string{k.mediaTypes}, Paged: k.paged,
			Description: "through an outside converter, by default LibreOffice (docs/outside-converters.md); found by content",
			Outside:     true, Match: k.match, Parse: k.parse,
		}
	}
	return list
}

// Names lists the formats that a part of LibreOffice reads.
func Names(part string) (names []string) {
	for _, k := range kinds {
		if k.part == part {
			names = append(names, string(k.name))
		}
	}
	return names
}

// lock says whether a document is protected by a password.
type lock int

const (
	open   lock = iota
	maybe       // encrypted, perhaps with a password that everybody knows
	locked      // encrypted with one that would have to be asked for
)

// parse looks whether there is something to convert: the fault's cause is format.ErrOutside when there is.
func (k kind) parse(_ context.Context, in *format.Input) (*doc.Document, error) {
	cause := format.ErrOutside
	if k.locked != nil {
		switch k.locked(in) {
		case locked:
			return nil, fault.New(fault.Encrypted, "The document is protected by a password, and files of this kind cannot be opened with one. Save it without the password, or as "+k.save+".", nil)
		case maybe:
			cause = errors.Join(cause, format.ErrProtected)
		}
	}
	return nil, fault.New(fault.Unsupported, fmt.Sprintf(
		"This is a file of another program (%s), read through LibreOffice, which is not installed here. Install it (Debian, Ubuntu: apt-get install libreoffice-%s-nogui; macOS: brew install --cask libreoffice), name another converter (docs/outside-converters.md), or save the file as %s.",
		k.title, k.part, k.save), cause)
}
