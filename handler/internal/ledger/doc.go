// Package ledger remembers what happened to every document, and makes the effect of a message happen once
// although queues deliver at least once, events come out of order and hosts vanish.
//
// A Record is one document. Its State moves along
//
//	queued → running → succeeded | empty | failed | cancelled | poisoned | gone
//
// and back to queued when a try was deferred, interrupted or superseded by a newer upload. Every move is one conditional
// write (Store.Replace with the ETag that was read), decided in one place, Ledger; stores only read and write.
//
// Whoever works on a document holds a Claim: a lease with an expiry and a Generation, which counts claims and fences off
// those who lost theirs. Published is the generation that readers see; it changes only in Claim.Finish.
package ledger
