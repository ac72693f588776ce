package ledger

import "slices"

// State is where a document stands. Its text is stored, and shown in /api.
type State string

// The states.
const (
	Queued    State = "queued"    // waits for a message to be worked on
	Running   State = "running"   // somebody holds a lease
	Succeeded State = "succeeded" // results are published
	Empty     State = "empty"     // a valid document with nothing to read in it; results are published
	Failed    State = "failed"    // will not be tried again by itself; Cause says why
	Cancelled State = "cancelled" // by a person or a batch
	Poisoned  State = "poisoned"  // the host gave its message up; Cause says what is known
	Gone      State = "gone"      // the file was deleted: a tombstone that late events meet
)

// States lists every state in the order of a document's life.
func States() []State {
	return []State{Queued, Running, Succeeded, Empty, Failed, Cancelled, Poisoned, Gone}
}

// Valid tells whether the state is one of States.
func (s State) Valid() bool { return slices.Contains(States(), s) }

// Terminal tells whether a document stays in the state until a person or a newer upload moves it.
func (s State) Terminal() bool { return s != Queued && s != Running && s != "" }

// Readable tells whether results belong to the state.
func (s State) Readable() bool { return s == Succeeded || s == Empty }

// Outcome is how one attempt ended. Beside the terminal states there are the ways back to Queued.
type Outcome string

// Outcomes that are not states.
const (
	Working     Outcome = "running"     // not ended yet
	Escalated   Outcome = "escalated"   // memory or crash: tried once more, alone
	Deferred    Outcome = "deferred"    // could not be done now; its message comes back
	Interrupted Outcome = "interrupted" // the worker was shut down, killed or cut off
	Superseded  Outcome = "superseded"  // the file was replaced by a newer one meanwhile
)

// moves says which state may follow which. Anything may become queued, running, cancelled or gone only as listed here.
var moves = map[State][]State{
	"":        {Queued, Running, Gone, Failed, Poisoned},
	Queued:    {Queued, Running, Cancelled, Poisoned, Failed, Gone},
	Running:   {Queued, Running, Succeeded, Empty, Failed, Cancelled, Poisoned, Gone},
	Succeeded: {Queued, Running, Gone},
	Empty:     {Queued, Running, Gone},
	Failed:    {Queued, Running, Poisoned, Gone},
	Cancelled: {Queued, Running, Gone},
	Poisoned:  {Queued, Running, Gone},
	Gone:      {Queued, Running, Gone},
}

// MayBecome tells whether the state machine allows the move.
func (s State) MayBecome(next State) bool { return slices.Contains(moves[s], next) }
