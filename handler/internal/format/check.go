package format

// Class says what a file is, as far as a conversion is concerned.
type Class string

// The classes that a format's Check gives.
const (
	ClassText      Class = "text"      // pages have text of their own, or a scanner's
	ClassScanned   Class = "scanned"   // pages are pictures without text: they need OCR
	ClassMixed     Class = "mixed"     // both
	ClassEncrypted Class = "encrypted" // a password is needed
	ClassBroken    Class = "broken"    // cannot be opened, or none of its pages can be read
	ClassEmpty     Class = "empty"     // no pages, or neither text nor a page-sized picture on them
)

// Check is what a look at a document finds, without converting it.
type Check struct {
	Class   Class
	Pages   int
	Looked  int // pages looked at
	Text    int // of those: with text
	Scanned int // of those: pictures without text
	Broken  int // of those: unreadable
}
