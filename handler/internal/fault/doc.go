// Package fault names every way in which something can fail, and says in one table what follows from each:
// whether a retry can mend it, the HTTP status, the exit code, and the sentence that a person reads.
//
// Every error that leaves a stage carries a Kind. The kind decides; the sentence informs; the wrapped cause is for the log.
package fault
