package layout

import "decant/handler/internal/doc"

// Page is what stands on one page.
type Page struct {
	Number        int // from 1
	Width, Height float64
	Glyphs        []Glyph
	Styles        []Style // what Glyph.Style counts
	Strokes       []Stroke
	Fills         []Fill
	Images        []Image
	Links         []Link
}

// Glyph is one character in its place.
type Glyph struct {
	Rune   rune
	Box    doc.Box // from origin to advance, from ascent to descent
	X, Y   float64 // the origin, on the base line
	Style  int32   // index into Page.Styles
	Hyphen bool    // a hyphen that divides a word at the line's end
	Space  bool    // whoever read the page takes the gap before it for a space; geometry has the last word
}

// Style is how a glyph looks.
type Style struct {
	Font   string  // name without subset prefix
	Size   float64 // points
	Bold   bool
	Italic bool
	Mono   bool
	Angle  int    // of the writing direction, degrees clockwise: 0, 90, 180, 270; what is none of them runs across the page
	Role   string // what the document's tags say it is: "H1", "P", "TD", RoleArtifact; "" when they say nothing
	Source string // doc.Block.Source of the text: "" or "ocr_layer"
	Cell   *Cell  // the cell of a table that the document's tags say it stands in; one value for each cell
}

// Cell is a table cell as the document's tags have it.
type Cell struct {
	Table            int // number on the page
	Row, Column      int // from 0
	RowSpan, ColSpan int
	Header           bool
}

// RoleArtifact is the role of what the tags leave out of the content: running headers, page numbers, decoration.
const RoleArtifact = "Artifact"

// Stroke is a straight line along an axis: a rule, or an edge of a box.
type Stroke struct {
	X0, Y0, X1, Y1 float64
	Width          float64
}

// Horizontal tells whether the stroke runs from left to right.
func (s Stroke) Horizontal() bool { return s.X1-s.X0 >= s.Y1-s.Y0 }

// Fill is a filled rectangle: shading behind text.
type Fill struct {
	Box  doc.Box
	Gray float64 // 0 black to 1 white
}

// Image is a picture, or a drawing taken as one.
type Image struct {
	Box doc.Box
	ID  string // doc.Image.ID, when it was saved
	Alt string
}

// Link is an area that leads somewhere.
type Link struct {
	Box    doc.Box
	Target string
}

func width(b doc.Box) float64  { return b.X1 - b.X0 }
func height(b doc.Box) float64 { return b.Y1 - b.Y0 }

// union is the box around both; an empty box counts for nothing.
func union(a, b doc.Box) doc.Box {
	if a == (doc.Box{}) {
		return b
	}
	if b == (doc.Box{}) {
		return a
	}
	return doc.Box{X0: min(a.X0, b.X0), Y0: min(a.Y0, b.Y0), X1: max(a.X1, b.X1), Y1: max(a.Y1, b.Y1)}
}

// overlapX is how much two boxes share from left to right; negative when apart.
func overlapX(a, b doc.Box) float64 { return min(a.X1, b.X1) - max(a.X0, b.X0) }

// overlapY is how much two boxes share from top to bottom; negative when apart.
func overlapY(a, b doc.Box) float64 { return min(a.Y1, b.Y1) - max(a.Y0, b.Y0) }

func contains(outer doc.Box, x, y float64) bool {
	return x >= outer.X0 && x <= outer.X1 && y >= outer.Y0 && y <= outer.Y1
}
