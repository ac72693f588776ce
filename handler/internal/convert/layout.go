package convert

import (
	"context"
	"fmt"
	"io"

	"decant/handler/internal/format"
)

// noLayout is the page for formats in which nothing has to be found by its looks.
const noLayout = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>layout</title>
<p>%s files say themselves what is what, so there is no layout to show.</p></html>
`

// writeLayout writes the page that shows what was found on each page of the document. What it dies of is a crash of this document.
func (r *run) writeLayout(ctx context.Context, w io.Writer, found format.Detection) (err error) {
	if found.Format.Layout == nil {
		_, err = fmt.Fprintf(w, noLayout, found.Format.Title)
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			err = crash(p)
		}
	}()
	return found.Format.Layout(ctx, r.formatInput("layout"), w)
}
