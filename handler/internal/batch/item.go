package batch

import (
	"time"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// State is where a batch stands.
type State string

// The states of a batch. It never ends as succeeded with nothing converted.
const (
	Submitted       State = "queued"     // its documents are not looked for yet
	Running         State = "running"    // documents are found or converted
	Cancelling      State = "cancelling" // nothing starts any more
	Succeeded       State = "succeeded"
	PartiallyFailed State = "partially_failed"
	Failed          State = "failed"
	Cancelled       State = "cancelled"
	Expired         State = "expired" // its time ran out before all documents had started
)

// Terminal tells whether the batch has ended.
func (s State) Terminal() bool { return s != Submitted && s != Running && s != Cancelling }

// DefaultRetries is how often a batch may be tried again unless it says otherwise.
const DefaultRetries = 5

// Head is a batch itself.
type Head struct {
	ID       string            `json:"batchId"`
	State    State             `json:"state"`
	Submit   event.BatchSubmit `json:"submit"`           // without Documents, which are kept apart
	Listed   int               `json:"listed,omitempty"` // how many Documents there were
	Digest   string            `json:"digest,omitempty"` // of Submit with its Documents: the same key with another one is a mistake
	Expanded bool              `json:"expanded,omitempty"`
	Cursor   string            `json:"cursor,omitempty"` // documents before it are members
	Retries  int               `json:"retries,omitempty"`
	Kept     int               `json:"kept,omitempty"` // members that had ended for good when it was tried again: no work of this round
	Created  time.Time         `json:"created"`
	Started  time.Time         `json:"started,omitzero"`
	Finished time.Time         `json:"finished,omitzero"`
	Webhook  Webhook           `json:"webhook,omitzero"`
	// Ended is how many members were in each state when the batch ended, for lists of batches.
	Ended map[ledger.State]int `json:"ended,omitempty"`
	// CancelledBy is who cancelled it, as far as is known; the log has the time.
	CancelledBy string `json:"cancelledBy,omitempty"`
	ETag        string `json:"-"`
}

// Webhook is how far telling the batch's URL is.
type Webhook struct {
	Pending bool      `json:"pending,omitempty"`
	Tries   int       `json:"tries,omitempty"`
	Next    time.Time `json:"next,omitzero"`
	Told    time.Time `json:"told,omitzero"`
}

// Member is one document of a batch.
type Member struct {
	DocumentID job.ID       `json:"documentId"`
	Path       string       `json:"path"`
	State      ledger.State `json:"state"`
	Kind       fault.Kind   `json:"kind,omitempty"` // why it failed
	Finished   time.Time    `json:"finished,omitzero"`
}

// Activity is something that happened to a batch.
type Activity struct {
	ID       string    `json:"id"` // orders the log: later ones are greater
	Time     time.Time `json:"time"`
	Kind     string    `json:"kind"`
	Message  string    `json:"message"`
	Document job.ID    `json:"document,omitempty"`
}

// Progress is what Find derives.
type Progress struct {
	Head
	Counts       map[ledger.State]int
	Total, Done  int
	PerMinute    float64
	EstimatedEnd time.Time
	Recent       []Activity
}

// Percent of the documents found so far that have ended.
func (p Progress) Percent() float64 {
	if p.Total == 0 {
		if p.State.Terminal() {
			return 100
		}
		return 0
	}
	return float64(int(1000*float64(p.Done)/float64(p.Total))) / 10
}
