// Package charset turns bytes into UTF-8 text.
//
// Decode believes, in this order: a byte order mark, zero bytes in the pattern of UTF-16 or UTF-32, escape sequences of
// ISO-2022-JP, well-formed UTF-8, the declared encoding where it fits the bytes, and last a guess. The guess looks at evidence
// from the whole text, never from its first kilobytes only: a file may be ASCII for pages before its first accent.
// Decoding itself is golang.org/x/text. A text that is UTF-8 already is not copied.
package charset
