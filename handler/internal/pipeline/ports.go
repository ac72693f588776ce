package pipeline

import (
	"context"
	"io"
	"log/slog"
	"time"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Fetcher reads source files.
type Fetcher interface {
	// Stat gives the file as it is now: ETag, size, media type. fault.Gone when there is none.
	Stat(ctx context.Context, src job.Source) (job.Source, error)
	// Fetch writes the file to w, at most limit bytes, and gives it as it was read. With src.ETag set it reads that version
	// only. Faults: fault.Gone, fault.Stale (another version lies there), fault.TooLarge, fault.Denied, fault.Storage.
	Fetch(ctx context.Context, src job.Source, limit int64, w io.Writer) (job.Source, error)
}

// Converter turns a file into results. The error is a fault; usage counts whatever came of it.
type Converter interface {
	Convert(ctx context.Context, req job.Request) (job.Result, job.Usage, error)
}

// Target is one generation of one document's results.
type Target struct {
	Source     job.Source
	Generation int64
}

// Sink keeps results. Files of a generation are not seen by readers before Publish.
type Sink interface {
	// Put stores one result file of a generation; size and sha256 are in file. Doing it again is harmless.
	Put(ctx context.Context, t Target, file job.File, body io.ReadSeeker) error
	// Publish writes the manifest and so makes the generation the one that readers see, at once. The paths of m.Files are as
	// in Put; the sink makes them relative to the manifest. fault.LeaseLost when a newer generation is published already.
	Publish(ctx context.Context, t Target, m Manifest) error
	// Manifest reads what is published; fault.NotFound when nothing is.
	Manifest(ctx context.Context, src job.Source) (Manifest, error)
	// Open reads a published file by its path in the manifest; the caller closes it. fault.NotFound when it is not there.
	Open(ctx context.Context, src job.Source, path string) (io.ReadCloser, error)
	// Prune removes the document's files of generations below keep, except those that the manifest names. It tells how many.
	Prune(ctx context.Context, src job.Source, keep int64) (int, error)
	// Remove removes everything of the document, its manifest first. Nothing there is no error.
	Remove(ctx context.Context, src job.Source) error
}

// Workshop is a Sink that has room where results can be made at once where they will stay, so that nobody has to carry them there
// file by file. It is asked for when the results are on the same machine as the conversion.
type Workshop interface {
	// Workplace gives an empty folder for the results of a generation, which readers do not see. What was left there is removed.
	// With Publish the files in it that the manifest names count as Put, and everything else in it is removed.
	Workplace(ctx context.Context, t Target) (dir string, err error)
	// Abandon removes the workplace of a generation that is not published. Nothing there is no error.
	Abandon(ctx context.Context, t Target) error
}

// ResultFile is one file that a Sink keeps, a manifest included.
type ResultFile struct {
	Name       string // the sink's own
	DocumentID job.ID
	Manifest   bool
	Modified   time.Time
}

// Results are all files that a Sink keeps, for whoever looks for those that belong to nothing.
type Results interface {
	// Files gives a page of files in an order of the sink's own, those of one document together. next is empty at the end.
	Files(ctx context.Context, cursor string, limit int) (list []ResultFile, next string, err error)
	// RemoveFile removes a file by its Name; one that is not there is no error.
	RemoveFile(ctx context.Context, name string) error
}

// Cache finds results of the same bytes with the same fingerprint, wherever they are.
type Cache interface {
	// Find gives the document that has them; fault.NotFound when none is known. The entry may be out of date.
	Find(ctx context.Context, contentHash, fingerprint string) (job.Source, error)
	// Remember notes that the document has them.
	Remember(ctx context.Context, contentHash, fingerprint string, src job.Source) error
}

// Announcer tells others that a document is finished; at least once.
type Announcer interface {
	Announce(ctx context.Context, done Completed) error
}

// Ports are what a Pipeline works with. Cache, Announcer, Log and Watch may be nil.
type Ports struct {
	Ledger    *ledger.Ledger
	Fetcher   Fetcher
	Converter Converter
	Sink      Sink
	Cache     Cache
	Announcer Announcer
	Log       *slog.Logger
	// Watch hears the progress of every conversion; it must not block.
	Watch func(job.Job, job.Progress)
}

// Options are a Pipeline's settings. The zero value is the usual ones.
type Options struct {
	// TempDir is where fetched files and results lie while they are worked on; default os.TempDir.
	TempDir string
	// Reuse lets a folder in TempDir serve one document after the other, emptied in between: making and removing one for each costs more
	// than reading a small document. TempDir must be removed by its owner.
	Reuse bool
	// Shared says that a process that has seen a document may live on and see others: then every document is a file of its own, since who
	// may read one file may read whatever is written to it later, and results are carried to the sink, since who made them may still
	// write to them. Otherwise the input's file is used again too, and results are made where they stay (Workshop).
	Shared bool
	// Again converts documents once more that failed, were cancelled or poisoned: for a person who runs a command again.
	Again bool
	// Redo converts documents once more that are done and unchanged, and takes no results from elsewhere.
	Redo bool
	// Poll is how often a running conversion looks whether it was cancelled or taken over; default one second.
	Poll time.Duration
	// Outwait is how long a document that somebody else converts is waited for, so that its end can be told; zero leaves it to him.
	Outwait time.Duration
	// Waiting hears of a document that is waited for, with the record of who has it. It may be nil and must not block.
	Waiting func(job.Job, ledger.Record)
	// Settle is how long the last writes may take after the work was stopped; default 15 seconds.
	Settle time.Duration
}
