// Package job holds the words that all stages share: what is to be converted (Job, Source, Options, Limits),
// what came out of it (Result) and what it cost (Usage).
//
// It imports nothing but fault, so that every other package may use it.
package job
