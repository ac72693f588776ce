// Package sweep finds what fell between: documents whose worker vanished or whose message was lost, files that no event
// announced, deleted documents that were not cleaned up, results of generations that nobody reads or of documents that
// nobody knows, documents that are done but lost their results, batches that missed a
// message. It may run at any time and on several instances at once, does a bounded amount of work, and goes on where the
// run before stopped.
package sweep
