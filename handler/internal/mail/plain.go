package mail

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/textfile"
)

// plainBlocks makes blocks of a plain text body: lines after ">" are quotes, nested as deep as they are.
func plainBlocks(text string, flowed bool, place doc.Place) []doc.Block {
	var lines []string
	for line := range textfile.Lines(text) {
		lines = append(lines, line.Text)
	}
	if flowed {
		lines = unflow(lines)
	}
	blocks := quoted(lines, 0)
	doc.Walk(blocks, func(b *doc.Block) bool {
		b.Places = []doc.Place{place}
		return true
	})
	return blocks
}

// unflow joins lines that end in a space (RFC 3676); a space in front is stuffing.
func unflow(lines []string) []string {
	var out []string
	open := false
	for _, line := range lines {
		depth := len(line) - len(strings.TrimLeft(line, ">"))
		body := strings.TrimPrefix(line[depth:], " ")
		if n := len(out) - 1; open && depth == depthOf(out[n]) && body != "-- " {
			out[n] += body
		} else {
			prefix := strings.Repeat(">", depth)
			if depth > 0 {
				prefix += " "
			}
			out = append(out, prefix+body)
		}
		open = strings.HasSuffix(body, " ") && body != "-- "
	}
	return out
}

func depthOf(line string) int { return len(line) - len(strings.TrimLeft(line, ">")) }

// maxQuotes is how deep quotes are followed.
const maxQuotes = 12

// quoted parts lines into own text and quotes.
func quoted(lines []string, depth int) []doc.Block {
	var blocks []doc.Block
	for start := 0; start < len(lines); {
		end, isQuote := start, strings.HasPrefix(lines[start], ">")
		for end < len(lines) && strings.HasPrefix(lines[end], ">") == isQuote {
			end++
		}
		run := lines[start:end]
		if isQuote && depth < maxQuotes {
			inner := make([]string, len(run))
			for i, line := range run {
				inner[i] = strings.TrimPrefix(line[1:], " ")
			}
			if children := quoted(inner, depth+1); len(children) > 0 {
				blocks = append(blocks, doc.Block{Kind: doc.Quote, Children: children})
			}
		} else {
			blocks = append(blocks, textfile.Blocks(strings.Join(run, "\n"))...)
		}
		start = end
	}
	return blocks
}
