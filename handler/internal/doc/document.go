package doc

// Document is one document in the order in which a person would read it.
type Document struct {
	Format      string       `json:"format"` // name of the format it was read from
	Metadata    Metadata     `json:"metadata"`
	Pages       []Page       `json:"pages,omitempty"`       // pages, slides or sheets, in order
	Blocks      []Block      `json:"blocks"`                // the body
	Notes       []Note       `json:"notes,omitempty"`       // footnotes and endnotes, referred to by Inline.Note
	Annotations []Annotation `json:"annotations,omitempty"` // comments, highlights, tracked changes
	Furniture   []Block      `json:"furniture,omitempty"`   // running headers, footers, page numbers, watermarks
	Hidden      []Hidden     `json:"hidden,omitempty"`      // content a reader does not see, with the reason
	Images      []Image      `json:"images,omitempty"`      // every picture, once
	Attachments []Attachment `json:"attachments,omitempty"` // documents inside this one
	Warnings    []Warning    `json:"warnings,omitempty"`    // the loss report
}

// Metadata is what the document says about itself, normalized over all formats.
type Metadata struct {
	Title       string       `json:"title,omitempty"`
	Authors     []string     `json:"authors,omitempty"`
	Created     string       `json:"created,omitempty"`  // RFC 3339, or a date
	Modified    string       `json:"modified,omitempty"` // RFC 3339, or a date
	Subject     string       `json:"subject,omitempty"`
	Keywords    []string     `json:"keywords,omitempty"`
	Language    string       `json:"language,omitempty"`           // BCP 47; empty when unknown
	Confidence  float64      `json:"languageConfidence,omitempty"` // 0..1; 1 when the document declares it
	Application string       `json:"application,omitempty"`        // what wrote the file
	Publisher   string       `json:"publisher,omitempty"`
	Identifiers []Identifier `json:"identifiers,omitempty"` // DOI, ISBN, arXiv, ISSN, message-id ...
	Encrypted   bool         `json:"encrypted,omitempty"`
	Scanned     float64      `json:"scanned,omitempty"` // share of pages that are pictures without text, 0..1
	Tagged      bool         `json:"tagged,omitempty"`  // a tagged PDF
	// Sources says where a field's value came from, by the field's JSON name: "core.xml", "first heading", "text".
	Sources map[string]string `json:"sources,omitempty"`
	// Other are format-specific fields worth keeping: mail headers, EXIF, custom properties. Keys are lower-case.
	Other map[string]string `json:"other,omitempty"`
}

// Identifier is a checked identifier found in the document.
type Identifier struct {
	Scheme string `json:"scheme"` // doi, isbn, issn, arxiv, message-id, uuid
	Value  string `json:"value"`
	Source string `json:"source,omitempty"`
}

// Page is a page, slide or sheet.
type Page struct {
	Number int     `json:"number"`           // from 1
	Kind   string  `json:"kind"`             // page, slide, sheet, part, chapter
	Label  string  `json:"label,omitempty"`  // as printed: "iv", "A-5"; a sheet's or slide's name
	Width  float64 `json:"width,omitempty"`  // points, as seen (after rotation)
	Height float64 `json:"height,omitempty"` // points
	Hidden bool    `json:"hidden,omitempty"`
	Scan   bool    `json:"scan,omitempty"` // a picture without text: needs OCR
}

// Note is a footnote or endnote.
type Note struct {
	ID     string  `json:"id"`              // what Inline.Note refers to: "1", "e1"; unique in the document
	Kind   string  `json:"kind"`            // footnote, endnote
	Label  string  `json:"label,omitempty"` // as printed
	Blocks []Block `json:"blocks"`
}

// Annotation is something that was written on the document rather than in it.
type Annotation struct {
	Kind   string  `json:"kind"` // comment, highlight, insertion, deletion, move
	Author string  `json:"author,omitempty"`
	Date   string  `json:"date,omitempty"`
	Text   string  `json:"text"`            // what it says
	Range  string  `json:"range,omitempty"` // the text that it is on
	Places []Place `json:"places,omitempty"`
}

// Hidden is content that a reader of the document does not see.
type Hidden struct {
	// Reason is one of: hidden_sheet, hidden_row, hidden_column, hidden_slide, hidden_text, hidden_element,
	// render_mode_3, same_colour_as_background, tiny, outside_page, layer_off, covered.
	Reason string  `json:"reason"`
	Name   string  `json:"name,omitempty"` // of the sheet, layer ...
	Blocks []Block `json:"blocks"`
}

// Image is a picture of the document.
type Image struct {
	ID        string  `json:"id"`             // what Inline.Image and Block.Image refer to: "image-1"
	File      string  `json:"file,omitempty"` // below the result folder: images/image-1.png; empty when not written
	MediaType string  `json:"mediaType,omitempty"`
	Bytes     int64   `json:"bytes,omitempty"`
	SHA256    string  `json:"sha256,omitempty"`
	Width     int     `json:"width,omitempty"` // pixels
	Height    int     `json:"height,omitempty"`
	Alt       string  `json:"alt,omitempty"`
	Source    string  `json:"source,omitempty"` // original reference: part name, URL
	Places    []Place `json:"places,omitempty"`
}

// Attachment is a document inside this one: a mail attachment, an archive member, an embedded file.
type Attachment struct {
	Name      string `json:"name"`           // cleaned: relative, slashes, no ".."
	File      string `json:"file,omitempty"` // below the result folder: attachments/1.pdf; empty when it could not be taken out
	MediaType string `json:"mediaType,omitempty"`
	Bytes     int64  `json:"bytes"`
	Inline    bool   `json:"inline,omitempty"`
	// Fault is the fault kind when the member could not be taken out: encrypted, limit_ratio, limit_depth, corrupt, too_large.
	Fault   string `json:"fault,omitempty"`
	Message string `json:"message,omitempty"`
}
