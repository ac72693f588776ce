package chunk

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// Split cuts a document into chunks. md must be the rendered document. Notes about shortened contexts and dropped table headers
// are added to the document's warnings. The error names an option that is not valid.
func Split(d *doc.Document, md *markdown.Output, o Options) ([]Chunk, error) {
	o, err := o.normalize()
	if err != nil {
		return nil, err
	}
	c := collect(md, o)
	p := &packer{
		doc: d, md: md, text: md.Text, options: o, outline: c.outline,
		meter: newMeter(md.Text, o.Counter, o.MaxTokens),
	}
	p.readNotes()
	for i := range c.pieces {
		p.add(c.pieces[i])
	}
	p.flush()
	if o.Strategy == "hybrid" && !o.NoMerge {
		p.join()
	}
	return p.build(), nil
}
