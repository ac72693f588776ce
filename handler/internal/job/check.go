package job

// Check is what `decant precheck` says about a document without converting it.
type Check struct {
	Class   string `json:"class"`             // text, scanned, mixed, encrypted, broken, empty, unsupported, other
	Pages   int    `json:"pages,omitempty"`   // that the document says it has
	Looked  int    `json:"looked,omitempty"`  // pages looked at: all of a short document, a sample of a long one
	Text    int    `json:"text,omitempty"`    // of those: with text
	Scanned int    `json:"scanned,omitempty"` // of those: pictures without text, which need OCR
	Broken  int    `json:"broken,omitempty"`  // of those: unreadable
}

// Classes of a Check beyond those that formats tell apart.
const (
	ClassOther       = "other"       // of a format whose files are all converted alike
	ClassEmpty       = "empty"       // nothing in it
	ClassUnsupported = "unsupported" // of no format that decant reads
)
