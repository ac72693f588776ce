// Package text reads plain text in any encoding.
//
// Blank lines part paragraphs; lines that were wrapped at a width are joined, other line ends stay; simple lists become lists;
// lines whose columns are aligned by spaces stay as they are, in a code block. A text that is too large for that is kept whole
// in blocks of lines.
package text
