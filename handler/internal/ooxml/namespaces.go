package ooxml

import "strings"

// Namespaces gives the prefix under which names of each namespace are read, for the transitional and the strict form alike.
// SpreadsheetML names have none ("row"), as everybody writes them.
var Namespaces = map[string]string{
	"http://schemas.openxmlformats.org/wordprocessingml/2006/main":              "w",
	"http://purl.oclc.org/ooxml/wordprocessingml/main":                          "w",
	"http://schemas.microsoft.com/office/word/2010/wordml":                      "w14",
	"http://schemas.microsoft.com/office/word/2012/wordml":                      "w15",
	"http://schemas.openxmlformats.org/spreadsheetml/2006/main":                 "",
	"http://purl.oclc.org/ooxml/spreadsheetml/main":                             "",
	"http://schemas.openxmlformats.org/presentationml/2006/main":                "p",
	"http://purl.oclc.org/ooxml/presentationml/main":                            "p",
	"http://schemas.openxmlformats.org/drawingml/2006/main":                     "a",
	"http://purl.oclc.org/ooxml/drawingml/main":                                 "a",
	"http://schemas.openxmlformats.org/drawingml/2006/picture":                  "pic",
	"http://purl.oclc.org/ooxml/drawingml/picture":                              "pic",
	"http://schemas.openxmlformats.org/drawingml/2006/chart":                    "c",
	"http://purl.oclc.org/ooxml/drawingml/chart":                                "c",
	"http://schemas.microsoft.com/office/drawing/2014/chartex":                  "cx",
	"http://schemas.openxmlformats.org/drawingml/2006/diagram":                  "dgm",
	"http://purl.oclc.org/ooxml/drawingml/diagram":                              "dgm",
	"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing":    "wp",
	"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing":                "wp",
	"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing":       "xdr",
	"http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing":                   "xdr",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingShape":         "wps",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup":         "wpg",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas":        "wpc",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing":       "wp14",
	"http://schemas.microsoft.com/office/drawing/2010/main":                     "a14",
	"http://schemas.microsoft.com/office/drawing/2017/decorative":               "adec",
	"http://schemas.openxmlformats.org/markup-compatibility/2006":               "mc",
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships":       "r",
	"http://purl.oclc.org/ooxml/officeDocument/relationships":                   "r",
	"http://schemas.openxmlformats.org/officeDocument/2006/math":                "m",
	"http://purl.oclc.org/ooxml/officeDocument/math":                            "m",
	"urn:schemas-microsoft-com:vml":                                             "v",
	"urn:schemas-microsoft-com:office:office":                                   "o",
	"http://schemas.openxmlformats.org/package/2006/content-types":              "",
	"http://schemas.openxmlformats.org/package/2006/relationships":              "",
	"http://schemas.openxmlformats.org/package/2006/metadata/core-properties":   "cp",
	"http://purl.org/dc/elements/1.1/":                                          "dc",
	"http://purl.org/dc/terms/":                                                 "dcterms",
	"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties": "",
	"http://purl.oclc.org/ooxml/officeDocument/extendedProperties":              "",
	"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties":   "",
	"http://purl.oclc.org/ooxml/officeDocument/customProperties":                "",
	"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes":      "vt",
	"http://purl.oclc.org/ooxml/officeDocument/docPropsVTypes":                  "vt",
	"http://schemas.microsoft.com/office/spreadsheetml/2009/9/main":             "x14",
	"http://schemas.microsoft.com/office/excel/2006/main":                       "xm",
	"http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments":   "xtc",
	"http://schemas.microsoft.com/office/powerpoint/2010/main":                  "p14",
	"http://schemas.microsoft.com/office/powerpoint/2018/8/main":                "p188",
	"http://schemas.openxmlformats.org/drawingml/2006/chartDrawing":             "cdr",
	"http://schemas.microsoft.com/office/drawing/2008/diagram":                  "dsp",
}

// noise tells which attributes say nothing about a document's content: revision save ids and paragraph ids are half of Word's XML.
func noise(name string) bool {
	return strings.HasPrefix(name, "w:rsid") || name == "w14:textId"
}
