package ledger

import (
	"context"
	"errors"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// DefaultLease is how long a claim keeps others away unless it is renewed.
const DefaultLease = 2 * time.Minute

// maxConflicts is how often a move is decided anew because somebody else wrote first.
const maxConflicts = 16

// Ledger decides every move of every record. It is safe for concurrent use, also by several processes on one Store.
type Ledger struct {
	store Store
	opt   Options
}

// Options are a Ledger's settings. The zero value is the usual ones.
type Options struct {
	Owner   string           // who this process is, unique; default NewOwner
	Lease   time.Duration    // default DefaultLease
	Version string           // of the converter, part of a fingerprint
	Now     func() time.Time // default time.Now; must not go backwards by more than Lease
	// Dead tells whether an owner is certainly gone, so that its leases hold nobody off. Default OwnerDead.
	Dead func(owner string) bool
}

// New makes a Ledger on a store.
func New(store Store, opt Options) *Ledger {
	if opt.Owner == "" {
		opt.Owner = NewOwner()
	}
	if opt.Dead == nil {
		opt.Dead = OwnerDead
	}
	if opt.Lease <= 0 {
		opt.Lease = DefaultLease
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Ledger{store: store, opt: opt}
}

// Store gives the store below, for reading.
func (l *Ledger) Store() Store { return l.store }

// Lease is how long a claim keeps others away.
func (l *Ledger) Lease() time.Duration { return l.opt.Lease }

// Version is the converter's version that fingerprints use.
func (l *Ledger) Version() string { return l.opt.Version }

// Load reads a record; fault.NotFound when there is none.
func (l *Ledger) Load(ctx context.Context, id job.ID) (Record, error) { return l.store.Load(ctx, id) }

// Find is Load for people: fault.NotFound also when the document was removed.
func (l *Ledger) Find(ctx context.Context, id job.ID) (Record, error) {
	r, err := l.store.Load(ctx, id)
	if err == nil && r.Removed {
		return Record{}, notFound()
	}
	return r, err
}

// List gives records, page by page.
func (l *Ledger) List(ctx context.Context, q Query) (Page, error) { return l.store.List(ctx, q) }

// Held tells whether somebody works on the document: there is a lease, it has not run out, and its owner is not known to be dead.
func (l *Ledger) Held(r *Record) bool { return r.Alive(l.now()) && !l.opt.Dead(r.Lease.Owner) }

func (l *Ledger) now() time.Time { return l.opt.Now().UTC() }

// errUnchanged ends update without a write.
var errUnchanged = errors.New("unchanged")

// update loads a record, lets change move it, and writes it if nobody wrote in between; else it begins again.
// A record that does not exist is given to change empty. When change returns an error nothing is written;
// with errUnchanged the record is returned as it is.
func (l *Ledger) update(ctx context.Context, id job.ID, change func(r *Record) error) (Record, error) {
	for range maxConflicts {
		r, err := l.store.Load(ctx, id)
		if err != nil && fault.KindOf(err) != fault.NotFound {
			return Record{}, err
		}
		before, exists := r.State, err == nil
		if err := change(&r); errors.Is(err, errUnchanged) {
			return r, nil
		} else if err != nil {
			return r, err
		}
		mustMove(before, r.State)
		r.DocumentID, r.Updated = id, l.now()
		write := l.store.Create
		if exists {
			write = l.store.Replace
		}
		written, err := write(ctx, r)
		if kind := fault.KindOf(err); kind != fault.Conflict && kind != fault.NotFound {
			return written, err
		}
	}
	return Record{}, fault.New(fault.Busy, "Too many others are changing this document's record at the same time. Try again later.", nil)
}

// mustMove guards the state machine against mistakes of this package.
func mustMove(from, to State) {
	if !from.MayBecome(to) {
		panic("ledger: internal error: a record may not go from " + string(from) + " to " + string(to))
	}
}
