package job

import "time"

// Names of the result files, below the document's result folder. docs/results.md is their contract.
const (
	MarkdownFile = "document.md"
	JSONFile     = "document.json"
	ChunksFile   = "chunks.jsonl"
	DoclingFile  = "document.docling.json"
	PreviewFile  = "preview.html"
	LayoutFile   = "layout.html"
	ManifestFile = "manifest.json" // written last: no manifest, no result
	ImagesDir    = "images"
	AttachDir    = "attachments" // files found inside the document, to be converted as documents of their own
)

// Result is what a conversion says about itself. The content is in the files below the request's OutDir.
type Result struct {
	Format      string       `json:"format"` // name of the detected format
	Title       string       `json:"title,omitempty"`
	Language    string       `json:"language,omitempty"` // BCP 47, empty when unknown
	Counts      Counts       `json:"counts"`
	Empty       bool         `json:"empty,omitempty"`       // nothing to read in it: a valid document without text or tables
	Warnings    []Warning    `json:"warnings,omitempty"`    // classes with their counts; the full list is in document.json
	Files       []File       `json:"files"`                 // everything written, except the manifest
	Attachments []Attachment `json:"attachments,omitempty"` // to be converted by the caller as own documents
	ContentHash string       `json:"contentHash"`           // sha256 of the input, hexadecimal
	Fingerprint string       `json:"fingerprint"`           // Options.Fingerprint
	Version     string       `json:"version"`               // of decant
	Check       *Check       `json:"check,omitempty"`       // of a precheck, which gives this and Format only
	// Outside is the outside converter that read the document first. In the answer to a request without one, it is the converter
	// that should: there are no files yet.
	Outside *Outside `json:"outside,omitempty"`
}

// Counts are the sizes of a document.
type Counts struct {
	Pages      int `json:"pages,omitempty"`
	Sheets     int `json:"sheets,omitempty"`
	Slides     int `json:"slides,omitempty"`
	Blocks     int `json:"blocks"`
	Tables     int `json:"tables"`
	Images     int `json:"images"`
	Characters int `json:"characters"` // of document.md
	Chunks     int `json:"chunks"`
	Tokens     int `json:"tokens"` // over all chunks
}

// Warning counts the losses, guesses and repairs of one class (docs/warnings.md).
type Warning struct {
	Class string `json:"class"`
	Count int    `json:"count"`
}

// File is one result file.
type File struct {
	Path      string `json:"path"` // relative, slashes
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	MediaType string `json:"mediaType"`
}

// Attachment is a document found inside another one, saved by the parser below AttachDir.
type Attachment struct {
	Name      string `json:"name"`           // as the container calls it, cleaned: relative, slashes, no ".."
	File      string `json:"file,omitempty"` // below OutDir; empty when it could not be taken out
	MediaType string `json:"mediaType,omitempty"`
	Bytes     int64  `json:"bytes"`
	Fault     string `json:"fault,omitempty"` // fault.Kind when it could not be taken out
	Message   string `json:"message,omitempty"`
}

// Usage is what a conversion cost, whatever came of it.
type Usage struct {
	PeakMemory   int64         `json:"peakMemory"` // bytes, largest resident set of the process group
	CPU          time.Duration `json:"cpu"`        // user and system time
	Wall         time.Duration `json:"wall"`
	Exit         int           `json:"exit"` // exit code, -1 when killed by a signal
	Signal       string        `json:"signal,omitempty"`
	Last         Progress      `json:"last"`                   // the last sign of life
	Stderr       string        `json:"stderr,omitempty"`       // its tail
	Locks        []string      `json:"locks,omitempty"`        // the sandbox locks that held
	Spare        bool          `json:"spare,omitempty"`        // a warm spare did it
	Cold         time.Duration `json:"cold,omitempty"`         // spawn to ready
	Death        string        `json:"death,omitempty"`        // how the process ended, a row of the exit table: ok, refused, memory, crash, ...
	Wait         time.Duration `json:"wait,omitempty"`         // in the pool, before the last try started
	Alone        bool          `json:"alone,omitempty"`        // it had the whole instance to itself
	Outside      string        `json:"outside,omitempty"`      // the outside converter that had a part in it
	OutsideLocks []string      `json:"outsideLocks,omitempty"` // the locks that held for its program
	Attempts     []Attempt     `json:"attempts,omitempty"`
}

// Attempt is one try of a document that needed more than one, the earliest first; the last one is the Usage itself.
type Attempt struct {
	Fault      string        `json:"fault"` // fault.Kind
	Message    string        `json:"message"`
	Death      string        `json:"death"`
	PeakMemory int64         `json:"peakMemory"` // bytes
	Wall       time.Duration `json:"wall"`
	Exit       int           `json:"exit"`
	Signal     string        `json:"signal,omitempty"`
	Last       Progress      `json:"last"`
	Stderr     string        `json:"stderr,omitempty"`
	Alone      bool          `json:"alone,omitempty"`
}
