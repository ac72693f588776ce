// Package event turns the text of a queue message into what is to be done: a document to convert, one that was deleted,
// or a command about a batch. It also writes the messages that decant sends itself.
//
// Three forms of message are read, each as plain JSON or as base64 of it, as an object or as an array of one object:
//
//   - Event Grid's own schema, as Event Grid puts storage events on a queue;
//   - CloudEvents 1.0 with the same storage events;
//   - decant's messages ("schema": "decant/1"), for what no storage event can say: options, limits, batches.
//
// A decant message has these members, and no others; none of them has the name of a metadata field of the Functions host,
// which it would override:
//
//	schema    "decant/1"
//	kind      "convert", "delete", "batch.submit", "batch.expand", "batch.retry" or "batch.cancel"
//	document  {account, container, path, etag, sequencer, size, mediaType, parent}, or {url, ...} instead of the first three
//	options   as in `decant convert`: {"maxTokens": 256}
//	limits    {memory, input, output, disk: bytes; timeout, noProgress: "10m"; pages, depth, members: counts}
//	batch     the batch's id
//	depth     levels of documents above this one; for attachments
//	notAfter  give up after this moment
//	submit    the members of BatchSubmit, for batch.submit
//	cursor    where to go on, for batch.expand
//	states    which documents to try again, for batch.retry
//
// Anything else is a fault of kind fault.BadMessage: no later try can mend it.
//
// Names are taken from data.url, unescaped once, since the subject spoils characters outside the basic plane; the account in
// the URL must be one that the Decoder knows, so that no message can send decant to a foreign host.
package event
