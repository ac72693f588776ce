package xlsx

import (
	"decant/handler/internal/format"
	"decant/handler/internal/ooxml"
)

// Format is the Excel workbook format.
func Format() format.Format {
	return format.Format{
		Name:       "xlsx",
		Title:      "Excel workbook",
		Extensions: extensions,
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

func match(h *format.Head) int { return ooxml.Match(h, "xl/workbook.xml", mainTypes, extensions) }

var (
	extensions = []string{".xlsx", ".xlsm", ".xltx", ".xltm"}
	mainTypes  = []string{
		"spreadsheetml.sheet.main+xml", "ms-excel.sheet.macroenabled.main+xml", "spreadsheetml.template.main+xml", "ms-excel.template.macroenabled.main+xml",
	}
)
