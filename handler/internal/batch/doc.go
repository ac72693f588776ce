// Package batch takes many documents as one: it submits, shows progress, cancels, tries again, and tells when all is done.
//
// A batch is items in one partition: the head (Head), one member for each document (Member), and its log (Activity).
// Counts are derived from the members, never counted up; every change of a head is conditional on its ETag.
// Whatever takes long is queue work: Submit only writes the head and a message, and Handle goes on from there, page by page,
// each of which may be done twice. What is lost on the way is found by Reconcile, which the sweeper calls.
package batch
