// Package textfile reads a document that is text: whole, once, decoded, within the memory that the conversion has.
//
// Read gives the text and says in the document's warnings when the encoding was guessed or bytes were replaced.
// Lines walks over it without copying. Blocks finds paragraphs, simple lists and aligned columns in plain text. Lean keeps a text that is too large for paragraphs in a few large blocks.
package textfile
