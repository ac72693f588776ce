package markup

import "decant/handler/internal/doc"

// Budget bounds what a text makes of little: a name that stands for a long text, cells that are repeated. Without one, a file of some
// kilobytes could become gigabytes.
type Budget struct {
	left    int // bytes, or whatever is counted
	refused int
}

// NewBudget makes a budget of n.
func NewBudget(n int) *Budget { return &Budget{left: n} }

// Take tells whether there are n left, and takes them.
func (b *Budget) Take(n int) bool {
	if n > b.left {
		b.refused++
		return false
	}
	b.left -= n
	return true
}

// Warn says in d that something was refused, if it was: message tells what became of it.
func (b *Budget) Warn(d *doc.Document, message string) {
	if b.refused > 0 {
		d.Warn("limit_reached", message)
	}
}

// MaxReplaced is how many bytes names may be replaced by in one document.
const MaxReplaced = 2 << 20

// ReplacedWords say what becomes of names beyond MaxReplaced.
const ReplacedWords = "The document replaces names by more text than the limit of 2 MB; further names stay as they are."
