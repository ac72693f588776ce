package chunk

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Chunk is one line of chunks.jsonl (docs/results.md).
type Chunk struct {
	ID         string   `json:"id"` // the same for the same text in the same document, wherever it stands in it
	DocumentID string   `json:"documentId"`
	Index      int      `json:"index"` // from 0
	Text       string   `json:"text"`  // final: heading path, table header and body
	Headings   []string `json:"headings,omitempty"`
	Tokens     int      `json:"tokens"` // of Text
	Tokenizer  string   `json:"tokenizer"`
	Kind       string   `json:"kind"` // text, heading, list, table, code, formula, figure, note
	Pages      *Pages   `json:"pages,omitempty"`
	Boxes      []Box    `json:"boxes,omitempty"`
	Range      Range    `json:"range"`              // the body's bytes in document.md
	Body       Range    `json:"body"`               // the body's bytes in Text: what is not context
	Rendered   bool     `json:"rendered,omitempty"` // the body is written anew (table rows as HTML or sentences), not the bytes of Range
	Source     *Source  `json:"source,omitempty"`
	Blocks     []string `json:"blocks,omitempty"` // ids of the blocks in document.json, in order
	Table      *Part    `json:"table,omitempty"`  // which rows of a table, when the chunk holds a part of one
	Shortened  bool     `json:"shortened,omitempty"`
	Hash       string   `json:"hash"` // sha256 of Text, hexadecimal
}

// Range is bytes from Start up to End.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Pages are the pages, slides or sheets that a chunk is on.
type Pages struct {
	First  int      `json:"first"` // from 1
	Last   int      `json:"last"`
	Labels []string `json:"labels,omitempty"` // as printed, where the document has labels
}

// Box is a rectangle on a page, in points from the top left.
type Box struct {
	Page int     `json:"page"`
	X0   float64 `json:"x0"`
	Y0   float64 `json:"y0"`
	X1   float64 `json:"x1"`
	Y1   float64 `json:"y1"`
}

// Source is where a chunk comes from in terms of its format.
type Source struct {
	Sheet   string `json:"sheet,omitempty"`
	Cells   string `json:"cells,omitempty"` // A1 notation
	Slide   int    `json:"slide,omitempty"`
	Part    string `json:"part,omitempty"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"endLine,omitempty"`
}

// Part says which rows of a table a chunk holds. Rows count from 1 in the whole table, headers included.
type Part struct {
	FirstRow int `json:"firstRow"`
	LastRow  int `json:"lastRow"`
	Part     int `json:"part,omitempty"` // of a row that is cut: 1 for its first part
}

// texts counts how often a document has had a text, by half of its hash.
type texts map[[sha256.Size / 2]byte]int32

// identify sets hash and id. Equal texts in one document differ by their count. The part after the document's id depends on
// the text alone, so that results can be copied to another document with the same bytes by replacing its id.
func (seen *texts) identify(chunks []Chunk) {
	if *seen == nil {
		*seen = make(texts, len(chunks))
	}
	for i := range chunks {
		c := &chunks[i]
		sum := sha256.Sum256([]byte(c.Text))
		c.Hash = hex.EncodeToString(sum[:])
		half := [sha256.Size / 2]byte(sum[:])
		n := (*seen)[half]
		(*seen)[half]++
		key := sha256.Sum256([]byte(c.Hash + "\x00" + strconv.Itoa(int(n))))
		c.ID = "c" + hex.EncodeToString(key[:12])
		if c.DocumentID != "" {
			c.ID = c.DocumentID + "-" + c.ID
		}
	}
}
