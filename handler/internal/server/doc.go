// Package server answers the Functions host and people over HTTP. It is the first room that a message enters and it knows
// nothing of conversions: what it needs from others stands in ports.go as small interfaces.
//
// Two worlds share one port and must not mix:
//
//   - the host's own calls, POST /convert, /convert_bulk, /poison, /poison_bulk and /sweep, which carry envelopes (package azfunc), and
//     GET /, which asks whether the handler is ready;
//   - requests that people make, which the host forwards with their full path and which therefore begin with the route
//     prefix: everything under /api/ (package server/api).
//
// A forwarded request carries the same headers as an envelope, so the path is what tells them apart; New refuses to work
// without a route prefix, and envelope routes refuse what only a forwarded request has.
//
// Status codes towards the host mean: 2xx delete the message, anything else bring it back. So a fault that a retry could
// mend answers with its status of the fault table, and a permanent one, which the journey has recorded by then, answers 200.
package server
