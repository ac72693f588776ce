package preview

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"decant/handler/internal/chunk"
)

//go:embed preview.html
var source string

// Page is a page of the document, in points, and its picture as PNG when there is one.
type Page struct {
	Number        int
	Width, Height float64
	PNG           []byte
}

// Preview is what to show.
type Preview struct {
	Title  string
	Limit  int // most tokens of a chunk
	Chunks []chunk.Chunk
	Pages  []Page
}

// shown is a chunk as the page shows it.
type shown struct {
	chunk.Chunk
	Before, Inside, After string // context, body, and what closes it
	Share                 int    // tokens in percent of the limit
}

// shownPage is a page as the page's script reads it.
type shownPage struct {
	Number int     `json:"number"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Image  string  `json:"image,omitempty"`
}

// Write writes the page.
func Write(w io.Writer, p Preview) error {
	page, err := template.New("preview").Parse(source)
	if err != nil {
		panic("preview: internal error: " + err.Error())
	}
	view := struct {
		Title  string
		Limit  int
		Tokens int
		Chunks []shown
		Places [][]chunk.Box
		Pages  []shownPage
	}{Title: p.Title, Limit: max(1, p.Limit)}
	for _, c := range p.Chunks {
		view.Tokens += c.Tokens
		view.Chunks = append(view.Chunks, shown{
			Chunk: c, Before: c.Text[:c.Body.Start], Inside: c.Text[c.Body.Start:c.Body.End], After: c.Text[c.Body.End:],
			Share: min(100, c.Tokens*100/view.Limit),
		})
		view.Places = append(view.Places, places(&c))
	}
	for _, pg := range p.Pages {
		s := shownPage{Number: pg.Number, Width: pg.Width, Height: pg.Height}
		if len(pg.PNG) > 0 {
			s.Image = "data:image/png;base64," + base64.StdEncoding.EncodeToString(pg.PNG)
		}
		view.Pages = append(view.Pages, s)
	}
	if err := page.Execute(w, view); err != nil {
		return fmt.Errorf("write preview: %w", err)
	}
	return nil
}

// places are the boxes of a chunk; a page without boxes has an empty one, so that the page is shown.
func places(c *chunk.Chunk) []chunk.Box {
	if len(c.Boxes) > 0 || c.Pages == nil {
		return c.Boxes
	}
	return []chunk.Box{{Page: c.Pages.First}}
}
