package job

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Options are the choices that change what a conversion gives. The zero value means the defaults; Normalize fills them in.
// Every field takes part in the Fingerprint, except those tagged `json:"-"`.
type Options struct {
	// Outputs are the results wanted: "md", "json", "chunks" (the default: these three), "docling", "layout", "preview".
	Outputs []string `json:"outputs,omitempty"`
	// MaxTokens is the hard limit of a chunk's final text. Default 512.
	MaxTokens int `json:"maxTokens,omitempty"`
	// MinTokens is the size below which neighbouring chunks under one heading are merged when they fit. Default MaxTokens/4.
	MinTokens int `json:"minTokens,omitempty"`
	// Overlap is how many tokens of the chunk before are repeated, at sentence borders. Default 0.
	Overlap int `json:"overlap,omitempty"`
	// Tokenizer names how tokens are counted: o200k_base (default), cl100k_base, characters, words, or the path of a tokenizer.json.
	Tokenizer string `json:"tokenizer,omitempty"`
	// Strategy is how chunks are cut: hybrid (default), hierarchical, page, section, fixed.
	Strategy string `json:"strategy,omitempty"`
	// NoMerge keeps small neighbours under one heading apart.
	NoMerge bool `json:"noMerge,omitempty"`
	// TableFormat is how tables stand in chunks: markdown (default), html, rows.
	TableFormat string `json:"tableFormat,omitempty"`
	// Hidden is exclude (default) or include: hidden sheets, rows, slides, text.
	Hidden string `json:"hidden,omitempty"`
	// Revisions is accepted (default), original or marked: tracked changes.
	Revisions string `json:"revisions,omitempty"`
	// Furniture is drop (default) or keep: running headers, footers, page numbers.
	Furniture string `json:"furniture,omitempty"`
	// Comments is exclude (default) or include.
	Comments string `json:"comments,omitempty"`
	// HTML is full (default) or main: the whole page, or its main content only.
	HTML string `json:"html,omitempty"`
	// Images is files (default), or none: whether pictures are written beside the Markdown.
	Images string `json:"images,omitempty"`
	// Attachments is convert (default) or list: files inside mails and archives.
	Attachments string `json:"attachments,omitempty"`

	// Password opens a protected document. It is never stored and takes no part in the fingerprint.
	Password Secret `json:"-"`
}

// Default option values.
const (
	DefaultMaxTokens = 512
	LeastTokens      = 8 // that MaxTokens may be
	DefaultTokenizer = "o200k_base"
)

// Normalize gives the options with every default filled in, so that equal meaning has an equal fingerprint.
func (o Options) Normalize() Options {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	if len(o.Outputs) == 0 {
		o.Outputs = DefaultOutputs()
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	if o.MinTokens == 0 {
		o.MinTokens = o.MaxTokens / 4
	}
	set(&o.Tokenizer, DefaultTokenizer)
	for _, c := range choices {
		set(c.field(&o), c.Words[0])
	}
	return o
}

// Fingerprint is a short hash of the normalized options and the converter's version: the part of the cache key
// that is not the content. Two conversions with the same fingerprint and the same bytes give the same result.
func (o Options) Fingerprint(version string) string {
	text, err := json.Marshal(o.Normalize())
	if err != nil {
		panic("job: internal error: options do not marshal: " + err.Error())
	}
	sum := sha256.Sum256(append(text, version...))
	return hex.EncodeToString(sum[:8])
}

// Limits bound one conversion. Zero means the default; Normalize fills them in.
type Limits struct {
	Memory     int64         `json:"memory,omitempty"`     // bytes of the child's data segment and resident set; default 1 GiB
	Timeout    time.Duration `json:"timeout,omitempty"`    // wall clock; default 10 minutes
	NoProgress time.Duration `json:"noProgress,omitempty"` // longest silence; default 2 minutes
	Input      int64         `json:"input,omitempty"`      // bytes of the document; default 2 GiB
	Output     int64         `json:"output,omitempty"`     // bytes of all results together; default 1 GiB, or what For gives
	Disk       int64         `json:"disk,omitempty"`       // bytes of temporary files; default 1 GiB
	Pages      int           `json:"pages,omitempty"`      // pages, slides or sheets; default 10,000
	Depth      int           `json:"depth,omitempty"`      // levels of documents in documents; default 4
	Members    int           `json:"members,omitempty"`    // documents in one document, over all levels; default 1,000
}

// Sizes in bytes.
const (
	KiB int64 = 1 << 10
	MiB int64 = 1 << 20
	GiB int64 = 1 << 30
)

// Normalize gives the limits with every default filled in.
func (l Limits) Normalize() Limits {
	bytes := func(field *int64, value int64) {
		if *field <= 0 {
			*field = value
		}
	}
	count := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	duration := func(field *time.Duration, value time.Duration) {
		if *field <= 0 {
			*field = value
		}
	}
	bytes(&l.Memory, GiB)
	duration(&l.Timeout, 10*time.Minute)
	duration(&l.NoProgress, 2*time.Minute)
	bytes(&l.Input, 2*GiB)
	bytes(&l.Output, GiB)
	bytes(&l.Disk, GiB)
	count(&l.Pages, 10_000)
	count(&l.Depth, 4)
	count(&l.Members, 1_000)
	return l
}

// outputRatio is how many bytes of results one byte of a document may have. A table with cells of four bytes comes near to it: the
// model says of each cell where it stands.
const outputRatio = 32

// For is Normalize for a document of the given size in bytes, which may be unknown (not above zero): where Output is not set, results
// may have 1 GiB, or 32 times the document where that is more.
func (l Limits) For(size int64) Limits {
	if l.Output <= 0 {
		l.Output = max(GiB, outputRatio*size)
	}
	return l.Normalize()
}

// Or gives the limits with every field that is not set taken from other.
func (l Limits) Or(other Limits) Limits {
	return Limits{
		Memory: cmp.Or(l.Memory, other.Memory), Timeout: cmp.Or(l.Timeout, other.Timeout), NoProgress: cmp.Or(l.NoProgress, other.NoProgress),
		Input: cmp.Or(l.Input, other.Input), Output: cmp.Or(l.Output, other.Output), Disk: cmp.Or(l.Disk, other.Disk),
		Pages: cmp.Or(l.Pages, other.Pages), Depth: cmp.Or(l.Depth, other.Depth), Members: cmp.Or(l.Members, other.Members),
	}
}

// Secret is a string that does not print.
type Secret string

// String hides the secret from fmt.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// GoString hides the secret from %#v.
func (s Secret) GoString() string { return s.String() }
