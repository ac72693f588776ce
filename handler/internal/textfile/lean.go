package textfile

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
)

// leanBlock is the size of one block of a large text, in bytes. A block costs about half a kilobyte of memory beside its text.
const leanBlock = 64 << 10

// leanShare is the part of the memory from which on a text is large: paragraphs of short lines need eight times their text.
const leanShare = 24

// IsLarge tells whether a text of that many bytes must be kept lean.
func IsLarge(in *format.Input, size int) bool {
	return in.Limits.Memory > 0 && int64(size) > in.Limits.Memory/leanShare
}

// Lean keeps a large text as code blocks of about 64 KiB that begin and end with lines, and says so in a warning.
// The blocks are parts of text, not copies.
func Lean(ctx context.Context, in *format.Input, d *doc.Document, text, language string) error {
	d.Warn("structure_simplified", "The text is large: it was kept as it is, in blocks of lines, without looking for paragraphs, lists and tables.")
	return Verbatim(ctx, in, d, text, language, 1)
}

// Verbatim keeps a text as it is, from its line first on: code blocks of about 64 KiB that begin and end with lines.
func Verbatim(ctx context.Context, in *format.Input, d *doc.Document, text, language string, first int) error {
	done := 0
	for len(text) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		size, lines := leanCut(text)
		d.Blocks = append(d.Blocks, doc.Block{
			Kind: doc.Code, Language: language, Text: strings.TrimRight(text[:size], "\r\n"),
			Places: []doc.Place{{Line: first, EndLine: first + max(0, lines-1)}},
		})
		text, first, done = text[size:], first+lines, done+1
		in.Progress(done, 0)
	}
	return nil
}

// leanCut finds where a block ends: after the last line that fits, or inside a line that is longer than a block, between characters.
func leanCut(text string) (size, lines int) {
	if len(text) <= leanBlock {
		return len(text), strings.Count(text, "\n") + 1
	}
	size = strings.LastIndexByte(text[:leanBlock], '\n') + 1
	if size == 0 {
		size = leanBlock
		for size > 0 && text[size]&0xC0 == 0x80 {
			size--
		}
	}
	return size, strings.Count(text[:size], "\n")
}
