package pptx

import (
	"decant/handler/internal/format"
	"decant/handler/internal/ooxml"
)

var extensions = []string{".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"}

// Format is the PowerPoint presentation format.
func Format() format.Format {
	return format.Format{
		Name:       "pptx",
		Title:      "PowerPoint presentation",
		Extensions: extensions,
		MediaTypes: []string{
			"application/vnd.openxmlformats-officedocument.presentationml.presentation",
			"application/vnd.openxmlformats-officedocument.presentationml.slideshow",
			"application/vnd.openxmlformats-officedocument.presentationml.template",
			"application/vnd.ms-powerpoint.presentation.macroEnabled.12",
			"application/vnd.ms-powerpoint.slideshow.macroEnabled.12",
		},
		Paged:       "slide",
		Description: "slides in order with titles, text in reading order, lists, tables, charts, diagrams, pictures, equations, speaker notes, comments; hidden slides apart",
		Match:       match,
		Parse:       parse,
	}
}

// mainTypes are the content types of a presentation's main part, lower case.
var mainTypes = []string{
	"presentationml.presentation.main+xml", "presentationml.slideshow.main+xml", "presentationml.template.main+xml",
	"ms-powerpoint.presentation.macroenabled.main+xml", "ms-powerpoint.slideshow.macroenabled.main+xml", "ms-powerpoint.template.macroenabled.main+xml",
}

func match(h *format.Head) int { return ooxml.Match(h, "ppt/presentation.xml", mainTypes, extensions) }
