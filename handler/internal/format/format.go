package format

import (
	"context"
	"errors"
	"io"

	"decant/handler/internal/doc"
)

// Name is a format's short name, lower case: "docx".
type Name string

// Format is one kind of file that decant reads.
type Format struct {
	Name        Name
	Title       string   // for people: "Word document"
	Extensions  []string // with dot, lower case, the usual one first
	MediaTypes  []string
	Paged       string // what Place.Page counts: "page", "slide", "sheet", or ""
	Description string // one line for `decant formats` and the README: what is read

	// Match looks at the content and says how sure it is that it is this format: 0 no, 100 certain.
	// Nil means that only the name can tell. See Head for what it gets.
	Match func(*Head) int

	// Warm, if set, loads what Parse needs ahead of the first document, for processes that wait for one.
	Warm func(context.Context, Limits) error

	// Parse reads a document. A nil error comes with a document; a fault.Error says why there is none.
	Parse func(context.Context, *Input) (*doc.Document, error)

	// Check looks at a document without converting it, in a few milliseconds. What is wrong with the document is a class; the
	// error is for what went wrong on our side. Nil: there is nothing to tell apart.
	Check func(context.Context, *Input) (Check, error)

	// Outside marks a format that is read through an outside converter only (docs/outside-converters.md). Its Parse looks whether
	// there is something to convert, and gives a fault whose cause is ErrOutside when there is.
	Outside bool

	// Draw makes pictures of the given pages (from 1) for people to look at, and hands them out as PNG, one by one, until take
	// says that it wants no more. A page that cannot be drawn is left out. Nil: the format has no pages to see.
	Draw func(ctx context.Context, in *Input, pages []int, take func(page int, png []byte) bool) error

	// Layout writes a web page that shows on each page's picture what was found there and in which order, for those who mend the
	// reader. Nil: the format says itself what is what, and nothing is found by its looks.
	Layout func(ctx context.Context, in *Input, w io.Writer) error
}

// ErrOutside is the cause of a fault that an outside converter can mend.
var ErrOutside = errors.New("an outside converter is needed")

// ErrProtected beside ErrOutside means that the document is encrypted, perhaps with a password that everybody knows: if the outside
// converter cannot read it, that is why.
var ErrProtected = errors.New("the document is encrypted")

// Head is what detection may look at.
type Head struct {
	Bytes   []byte // the first 64 KiB, or all
	Tail    []byte // the last 4 KiB
	Size    int64
	Name    string   // base name, lower case; a hint
	Streams []string // names in the root of a compound file, when it is one; at most 10,000
	Members []string // names in the zip directory, when it is a zip; at most 10,000
	// ReadMember gives the first 64 KiB of a zip member, or nil.
	ReadMember func(name string) []byte
	// Text is Bytes as UTF-8 when they look like text in some encoding, else "".
	Text string
}

// Input is what a parser gets.
type Input struct {
	io.ReaderAt                       // the document
	Size        int64                 // bytes
	Name        string                // base name, as uploaded; a hint
	MediaType   string                // as declared; a hint
	Options     Options               // what the user chose
	Limits      Limits                // what the parser must keep
	Files       Files                 // where pictures and attachments go
	Progress    func(page, pages int) // never nil; say which page, sheet, slide or member is being read

	// Part, if set, takes the blocks of a large document part by part, so that it is never in memory whole. d is the document as far
	// as it is known: warnings, pages and pictures; the document that Parse returns has the blocks behind the last part. Blocks
	// that were handed on must not be used any more; when it returns, nobody else does either, and their memory may be used again.
	Part func(d *doc.Document, p Part) error
}

// Part is a stretch of a large document.
type Part struct {
	Blocks []doc.Block
	// Above is how many blocks at the start are headings of earlier parts, repeated because what follows stands under them.
	Above int
	// Continues tells that the first block is a group that goes on: its label was shown by an earlier part.
	Continues bool
}

// Reader reads the whole document from its start.
func (in *Input) Reader() io.Reader { return io.NewSectionReader(in, 0, in.Size) }

// Options are the choices that concern parsers; job.Options explains them.
type Options struct {
	Hidden      string // exclude, include
	Revisions   string // accepted, original, marked
	Furniture   string // drop, keep
	Comments    string // exclude, include
	HTML        string // full, main
	Images      string // files, none
	Attachments string // convert, list
	Password    string
}

// Limits bound what a parser reads and makes.
type Limits struct {
	Pages   int   // pages, slides or sheets
	Members int   // attachments and archive members
	Depth   int   // nesting of elements in XML or HTML before they are flattened; default DefaultDepth
	Unpack  int64 // bytes that packed parts of the document may unpack to, together
	Memory  int64 // bytes the process may use; a parser may choose a leaner way
	Level   int   // levels of documents in documents that are still allowed below this one
}

// DefaultDepth is how deep elements may nest before a parser flattens them: far more than honest documents have.
const DefaultDepth = 10_000

// Files takes what is found inside a document. It writes below the result folder and keeps the output limit.
type Files interface {
	// Image saves a picture and gives it its id and file name. The same bytes are saved once.
	// With Options.Images "none" it keeps no file but still gives an id. The parser appends the result to Document.Images once per id.
	Image(data []byte, mediaType, source, alt string) (doc.Image, error)
	// Attachment saves a file found inside the document for conversion as a document of its own, reading at most limit bytes.
	Attachment(name, mediaType string, content io.Reader) (doc.Attachment, error)
}
