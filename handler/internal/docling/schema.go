package docling

// The types of the DoclingDocument schema, version 1.3, as far as they are written or read.

type document struct {
	Schema    string          `json:"schema_name"`
	Version   string          `json:"version"`
	Name      string          `json:"name"`
	Furniture *group          `json:"furniture"`
	Body      *group          `json:"body"`
	Groups    []*group        `json:"groups"`
	Texts     []*text         `json:"texts"`
	Pictures  []*picture      `json:"pictures"`
	Tables    []*table        `json:"tables"`
	KeyValues []struct{}      `json:"key_value_items"`
	Forms     []struct{}      `json:"form_items"`
	Pages     map[string]page `json:"pages"`
}

type ref struct {
	Ref string `json:"$ref"`
}

// item is what all nodes of the tree have.
type item struct {
	Self     string `json:"self_ref"`
	Parent   *ref   `json:"parent,omitempty"`
	Children []ref  `json:"children"`
	Layer    string `json:"content_layer"`
	Label    string `json:"label"`
}

type group struct {
	item
	Name string `json:"name"`
}

type text struct {
	item
	Prov       []prov  `json:"prov"`
	Orig       string  `json:"orig"`
	Text       string  `json:"text"`
	Level      int     `json:"level,omitempty"`         // of a section_header
	Enumerated *bool   `json:"enumerated,omitempty"`    // of a list_item
	Marker     string  `json:"marker,omitempty"`        // of a list_item
	Language   string  `json:"code_language,omitempty"` // of code
	Captions   *[]ref  `json:"captions,omitempty"`      // of code
	Hyperlink  *string `json:"hyperlink,omitempty"`
	Formatting *looks  `json:"formatting,omitempty"` // read only
}

// looks are the marks of a whole text.
type looks struct {
	Bold          bool   `json:"bold"`
	Italic        bool   `json:"italic"`
	Underline     bool   `json:"underline"`
	Strikethrough bool   `json:"strikethrough"`
	Script        string `json:"script"` // baseline, sub, super
}

type picture struct {
	item
	Prov     []prov `json:"prov"`
	Captions []ref  `json:"captions"`
	Image    *image `json:"image,omitempty"` // read only
}

type image struct {
	MediaType string `json:"mimetype"`
	URI       string `json:"uri"`
}

type table struct {
	item
	Prov     []prov    `json:"prov"`
	Captions []ref     `json:"captions"`
	Data     tableData `json:"data"`
}

type tableData struct {
	Cells   []cell `json:"table_cells"`
	Rows    int    `json:"num_rows"`
	Columns int    `json:"num_cols"`
}

type cell struct {
	RowSpan     int    `json:"row_span"`
	ColSpan     int    `json:"col_span"`
	StartRow    int    `json:"start_row_offset_idx"`
	EndRow      int    `json:"end_row_offset_idx"`
	StartColumn int    `json:"start_col_offset_idx"`
	EndColumn   int    `json:"end_col_offset_idx"`
	Text        string `json:"text"`
	Header      bool   `json:"column_header"`
	RowHeader   bool   `json:"row_header"`
	Section     bool   `json:"row_section"`
}

type prov struct {
	Page int    `json:"page_no"`
	Box  box    `json:"bbox"`
	Span [2]int `json:"charspan"`
}

type box struct {
	Left   float64 `json:"l"`
	Top    float64 `json:"t"`
	Right  float64 `json:"r"`
	Bottom float64 `json:"b"`
	Origin string  `json:"coord_origin"`
}

type page struct {
	Size size `json:"size"`
	No   int  `json:"page_no"`
}

type size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}
