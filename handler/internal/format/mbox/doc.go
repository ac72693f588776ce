// Package mbox reads a mailbox (RFC 4155): one message after the other in a single document, each a part with its subject as heading.
// What is attached to the messages becomes documents of their own.
package mbox
