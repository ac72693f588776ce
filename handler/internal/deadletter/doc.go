// Package deadletter keeps messages that nobody could finish, with what is known of why, and puts them back when asked.
//
// A message that the host gave up (/poison) or that nobody can read (bad_message) becomes a letter: a small JSON file named
// `<day>/<id>.json` in the container `deadletter`, beside the document's record, which says `poisoned` and the reason.
package deadletter
