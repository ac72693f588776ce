package xlsx

import (
	"bytes"
	"strings"

	"decant/handler/internal/format"
)

// Format is the Excel workbook format.
func Format() format.Format {
	return format.Format{
		Name:       "xlsx",
		Title:      "Excel workbook",
		Extensions: []string{".xlsx", ".xlsm", ".xltx", ".xltm"},
		MediaTypes: []string{
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			"application/vnd.ms-excel.sheet.macroEnabled.12",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.template",
			"application/vnd.ms-excel.template.macroEnabled.12",
		},
		Paged:       "sheet",
		Description: "tables found on the sheets with headers, merged cells, values as shown and as stored, formulas, charts, comments; hidden sheets, rows and columns apart",
		Match:       match,
		Parse:       parse,
	}
}

// match knows a workbook by its content types, which name its main part whatever the part is called.
func match(h *format.Head) int {
	if h.HasPrefix("\xd0\xcf\x11\xe0") {
		return matchEncrypted(h)
	}
	types := h.Member("[Content_Types].xml")
	for _, kind := range []string{"spreadsheetml.sheet.main+xml", "ms-excel.sheet.macroenabled.main+xml", "spreadsheetml.template.main+xml", "ms-excel.template.macroenabled.main+xml"} {
		if bytes.Contains(bytes.ToLower(types), []byte(kind)) {
			return format.Certain
		}
	}
	for _, name := range h.Members {
		if strings.EqualFold(name, "xl/workbook.xml") {
			return format.Structure
		}
	}
	if len(h.Members) == 0 && h.HasPrefix("PK\x03\x04") && h.HasExtension(".xlsx", ".xlsm", ".xltx", ".xltm") {
		return format.Plausible // a damaged package
	}
	return 0
}

// matchEncrypted: a protected workbook is a compound file with the stream EncryptedPackage; its name is all that tells it from a document.
func matchEncrypted(h *format.Head) int {
	if h.HasExtension(".xlsx", ".xlsm", ".xltx", ".xltm") {
		return format.Plausible
	}
	return 0
}
