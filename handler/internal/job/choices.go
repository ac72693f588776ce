package job

import "slices"

// Choice is an option that is one of a few words.
type Choice struct {
	Name  string   // as in messages and requests: tableFormat
	Words []string // the first one is the default

	field func(*Options) *string
}

// choices are all options that are words. Whoever takes options from outside checks them against this table.
var choices = []Choice{
	{"strategy", []string{"hybrid", "hierarchical", "page", "section", "fixed"}, func(o *Options) *string { return &o.Strategy }},
	{"tableFormat", []string{"markdown", "html", "rows"}, func(o *Options) *string { return &o.TableFormat }},
	{"hidden", []string{"exclude", "include"}, func(o *Options) *string { return &o.Hidden }},
	{"revisions", []string{"accepted", "original", "marked"}, func(o *Options) *string { return &o.Revisions }},
	{"furniture", []string{"drop", "keep"}, func(o *Options) *string { return &o.Furniture }},
	{"comments", []string{"exclude", "include"}, func(o *Options) *string { return &o.Comments }},
	{"html", []string{"full", "main"}, func(o *Options) *string { return &o.HTML }},
	{"images", []string{"files", "none"}, func(o *Options) *string { return &o.Images }},
	{"attachments", []string{"convert", "list"}, func(o *Options) *string { return &o.Attachments }},
}

// Choices lists the options that are words.
func Choices() []Choice { return slices.Clone(choices) }

// Words are the words of the option with that name, the default first; nil when there is none.
func Words(name string) []string {
	for _, c := range choices {
		if c.Name == name {
			return slices.Clone(c.Words)
		}
	}
	return nil
}

// Of is the word that the options have, "" for the default.
func (c Choice) Of(o Options) string { return *c.field(&o) }

// Unknown finds the first option that has a word of no meaning. Empty is the default and fine.
func (o Options) Unknown() (c Choice, word string, found bool) {
	for _, c := range choices {
		if word := c.Of(o); word != "" && !slices.Contains(c.Words, word) {
			return c, word, true
		}
	}
	return Choice{}, "", false
}

// Output is a kind of result that can be asked for.
type Output struct {
	Name string // in Options.Outputs
	File string // that it writes
	Help string
	Own  bool // holds names of the document itself, so that it cannot be taken over by another document with the same bytes
}

// outputs are all of them; the first three are the default.
var outputs = []Output{
	{Name: "md", File: MarkdownFile, Help: "the text as Markdown"},
	{Name: "json", File: JSONFile, Help: "everything, as one JSON document"},
	{Name: "chunks", File: ChunksFile, Help: "pieces within the token limit, with their places"},
	{Name: "docling", File: DoclingFile, Help: "DoclingDocument JSON, for docling-core and tools built on it", Own: true},
	{Name: "layout", File: LayoutFile, Help: "one web page that shows what was found on each page of a PDF, and in which order", Own: true},
	{Name: "preview", File: PreviewFile, Help: "one web page that shows the chunks and where they come from", Own: true},
}

// Outputs lists the kinds of results.
func Outputs() []Output { return slices.Clone(outputs) }

// OutputNames are their names.
func OutputNames() []string {
	names := make([]string, 0, len(outputs))
	for _, o := range outputs {
		names = append(names, o.Name)
	}
	return names
}

// DefaultOutputs are the results that are written when nobody chose.
func DefaultOutputs() []string { return OutputNames()[:3] }

// Wants tells whether the options ask for a result.
func (o Options) Wants(output string) bool {
	if len(o.Outputs) == 0 {
		return slices.Contains(DefaultOutputs(), output)
	}
	return slices.Contains(o.Outputs, output)
}
