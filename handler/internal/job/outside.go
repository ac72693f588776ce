package job

import "slices"

// Outside names an outside converter that has a part in a conversion (docs/outside-converters.md).
type Outside struct {
	Converter string `json:"converter"`           // its name in the settings
	Version   string `json:"version,omitempty"`   // what it says of itself
	Format    string `json:"format,omitempty"`    // of the document that it reads
	Returns   string `json:"returns,omitempty"`   // format of what it gives back
	Protected bool   `json:"protected,omitempty"` // the document is encrypted: if it cannot be read, that is why
}

// Route says which documents go to an outside converter.
type Route struct {
	Converter  string   `json:"converter"`
	Formats    []string `json:"formats,omitempty"`    // names of formats, found by content
	Extensions []string `json:"extensions,omitempty"` // with dot, lower case: whatever the content is
	MediaTypes []string `json:"mediaTypes,omitempty"` // as declared by the uploader
}

// Takes tells whether a document of the format (empty when none was found), extension and declared type goes this way.
func (r Route) Takes(format, extension, mediaType string) bool {
	return format != "" && slices.Contains(r.Formats, format) ||
		extension != "" && slices.Contains(r.Extensions, extension) ||
		mediaType != "" && slices.Contains(r.MediaTypes, mediaType)
}
