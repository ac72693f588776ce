package doc

// Kind says what a block is.
type Kind string

// The block kinds, and which fields of Block each one uses beside ID, Places and Kind.
const (
	Heading   Kind = "heading"   // Level, Number, Inlines
	Paragraph Kind = "paragraph" // Inlines
	List      Kind = "list"      // Ordered, Start, Children (items)
	Item      Kind = "item"      // Number (printed label when it is not the plain bullet or count), Checked, Children (blocks)
	Table     Kind = "table"     // Table, Caption
	Figure    Kind = "figure"    // Image, Caption, Children (text inside the figure)
	Code      Kind = "code"      // Text, Language
	Formula   Kind = "formula"   // Text (LaTeX), Number
	Quote     Kind = "quote"     // Children, Label (admonition or attribution)
	Rule      Kind = "rule"      // a thematic break; nothing else
	Group     Kind = "group"     // Role, Label, Children: a slide, a sheet, speaker notes, a mail part, a chapter, a text box
	TOC       Kind = "toc"       // Children: a table of contents, usually not wanted in chunks
	Terms     Kind = "terms"     // definition list: Children alternate Term and Details
	Term      Kind = "term"      // Inlines
	Details   Kind = "details"   // Children
)

// Roles of a Group.
const (
	RoleSlide   = "slide"
	RoleSheet   = "sheet"
	RoleNotes   = "notes"   // a speaker's notes
	RolePart    = "part"    // a part of a mail
	RoleHeaders = "headers" // the headers of a mail
	RoleChapter = "chapter"
	RoleTextBox = "textbox"
	RoleForm    = "form"
	RoleSection = "section"
)

// Roles of what is made of data rather than written by an author.
const (
	RoleName = "name" // a heading that is the name of a value
	RoleFact = "fact" // a paragraph "name: value"
)

// Block is one piece of a document. Which fields a kind uses is listed at the kinds.
type Block struct {
	ID       string   `json:"id,omitempty"` // unique in the document, set by Finish: "b12"
	Kind     Kind     `json:"kind"`
	Level    int      `json:"level,omitempty"`  // of a heading, from 1, consistent over the document
	Number   string   `json:"number,omitempty"` // as printed, apart from the text: "1.1", "(a)", "Table 3"
	Inlines  []Inline `json:"inlines,omitempty"`
	Text     string   `json:"text,omitempty"`
	Language string   `json:"language,omitempty"`
	Ordered  bool     `json:"ordered,omitempty"`
	Start    int      `json:"start,omitempty"`   // first number of an ordered list; 0 means 1
	Checked  *bool    `json:"checked,omitempty"` // of a task item
	Role     string   `json:"role,omitempty"`
	Label    string   `json:"label,omitempty"`
	Children []Block  `json:"children,omitempty"`
	Table    *Grid    `json:"table,omitempty"`
	Image    string   `json:"image,omitempty"` // Image.ID
	Caption  []Inline `json:"caption,omitempty"`
	Places   []Place  `json:"places,omitempty"`
	// Source is set when the text did not come from the document's own text: ocr, ocr_layer, alt_text, formula_cache.
	Source string `json:"source,omitempty"`
	// Anchor is the name under which links inside the document reach this block.
	Anchor string `json:"anchor,omitempty"`
}

// InlineKind says what an inline is.
type InlineKind string

// The inline kinds.
const (
	Text          InlineKind = "text"  // Text, Marks, Link
	Break         InlineKind = "break" // a line break inside a paragraph
	Math          InlineKind = "math"  // Text (LaTeX)
	Picture       InlineKind = "image" // Image, Text (alternative text), Link
	NoteReference InlineKind = "note"  // Note
	Input         InlineKind = "input" // a form field: Text (its value), Name
)

// Marks are the looks of a text. They combine.
type Marks uint16

// The marks.
const (
	Strong Marks = 1 << iota
	Emphasis
	Underline
	Strike
	Superscript
	Subscript
	Monospace
	Highlight
	Inserted // a tracked insertion, with Options.Revisions "marked"
	Deleted  // a tracked deletion, with Options.Revisions "marked"
	SmallCaps
)

// Inline is a run of text with the same looks, or something that stands in a line of text.
type Inline struct {
	Kind  InlineKind `json:"kind"`
	Text  string     `json:"text,omitempty"`
	Marks Marks      `json:"marks,omitempty"` // as a list of names in JSON
	Link  string     `json:"link,omitempty"`  // target, safe: never javascript:, vbscript:, or data: with a script
	Note  string     `json:"note,omitempty"`  // Note.ID
	Image string     `json:"image,omitempty"` // Image.ID
	Name  string     `json:"name,omitempty"`  // of a form field
}

// Grid is a table as cells. Every grid position is covered by at most one cell; a position without a cell is empty.
type Grid struct {
	Rows       int    `json:"rows"`
	Columns    int    `json:"columns"`
	HeaderRows int    `json:"headerRows"` // how many rows at the top are headers; 0 when there is none
	Cells      []Cell `json:"cells"`      // by row, then column
}

// Cell is one cell of a table. Its text is in Blocks; a simple cell has one paragraph, an empty cell none.
type Cell struct {
	Row     int     `json:"row"`               // from 0
	Column  int     `json:"column"`            // from 0
	RowSpan int     `json:"rowSpan,omitempty"` // 0 means 1
	ColSpan int     `json:"colSpan,omitempty"` // 0 means 1
	Header  bool    `json:"header,omitempty"`  // a header cell, of a row or a column
	Align   string  `json:"align,omitempty"`   // left, center, right
	Blocks  []Block `json:"blocks,omitempty"`
	Value   *Value  `json:"value,omitempty"` // in spreadsheets
	Hidden  bool    `json:"hidden,omitempty"`
	Places  []Place `json:"places,omitempty"`
}

// Value is a spreadsheet cell's value in its forms. What a person sees is the cell's text.
type Value struct {
	Type    string `json:"type"`              // number, text, boolean, date, time, duration, error, empty
	Raw     string `json:"raw,omitempty"`     // as stored
	ISO     string `json:"iso,omitempty"`     // ISO 8601, for dates and durations
	Formula string `json:"formula,omitempty"` // without the leading "="
	Cached  bool   `json:"cached,omitempty"`  // the value is the formula's cached result
}

// Place is where a block, or a part of it, stands in the source. Which fields are set depends on the format.
type Place struct {
	Page    int    `json:"page,omitempty"`    // page, slide or sheet, from 1: Document.Pages
	Box     *Box   `json:"box,omitempty"`     // on the page
	Sheet   string `json:"sheet,omitempty"`   // a sheet's name
	Cells   string `json:"cells,omitempty"`   // A1 notation: "A3:C5"
	Slide   int    `json:"slide,omitempty"`   // from 1
	Part    string `json:"part,omitempty"`    // mail part "1.2", package part, EPUB item, archive member
	Line    int    `json:"line,omitempty"`    // first line of a text source, from 1
	EndLine int    `json:"endLine,omitempty"` // last line
	// From and To bound the part of the block's PlainText that stands here, in bytes. Both 0 mean the whole block.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
}

// Box is a rectangle on a page, in points (1/72 inch) from the top left corner as the page is seen.
type Box struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}
