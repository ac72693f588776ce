package chunk

import (
	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"
)

// Split cuts a document into chunks. md must be the rendered document. Notes about shortened contexts and dropped table headers
// are added to the document's warnings. The error names an option that is not valid.
func Split(d *doc.Document, md *markdown.Output, o Options) ([]Chunk, error) {
	return new(Parts).Split(d, md, o, Section{})
}

// Parts cuts a document that comes in parts, one after the other, because it is too large to be held whole. Chunks count on from
// part to part, and no chunk reaches over the end of a part. The zero value is ready.
type Parts struct {
	chunks int
	seen   texts
}

// Section says where the Markdown of a part belongs.
type Section struct {
	// Known is how many bytes at the start of the part's Markdown an earlier part has shown: headings that stand above what
	// follows. They are context only.
	Known int
	// At is where the bytes behind Known stand in document.md.
	At int
}

// Split cuts the next part: d has its blocks, md is these rendered.
func (s *Parts) Split(d *doc.Document, md *markdown.Output, o Options, at Section) ([]Chunk, error) {
	o, err := o.normalize()
	if err != nil {
		return nil, err
	}
	c := collect(md, o, at.Known)
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
	chunks := p.build()
	s.number(chunks, at)
	return chunks, nil
}

// number sets what depends on the parts before.
func (s *Parts) number(chunks []Chunk, at Section) {
	for i := range chunks {
		c := &chunks[i]
		c.Index = s.chunks + i
		c.Range.Start += at.At - at.Known
		c.Range.End += at.At - at.Known
	}
	s.chunks += len(chunks)
	s.seen.identify(chunks)
}
