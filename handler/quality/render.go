package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/job"
)

// markdownOf reads a result's Markdown, or makes a plain one of document.json where none was written.
func markdownOf(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, job.MarkdownFile))
	if err == nil {
		return string(text), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(dir, job.JSONFile))
	if err != nil {
		return "", err
	}
	var d doc.Document
	if err := json.Unmarshal(data, &d); err != nil {
		return "", err
	}
	var b strings.Builder
	plain(&b, d.Blocks, "")
	for _, n := range d.Notes {
		b.WriteString("[^" + n.ID + "]: ")
		plain(&b, n.Blocks, "")
	}
	return b.String(), nil
}

func plain(b *strings.Builder, blocks []doc.Block, indent string) {
	for i := range blocks {
		block := &blocks[i]
		switch block.Kind {
		case doc.Heading:
			fmt.Fprintf(b, "%s%s %s\n\n", indent, strings.Repeat("#", min(6, max(1, block.Level))), numbered(block))
		case doc.List:
			for j := range block.Children {
				item := &block.Children[j]
				label := "-"
				if item.Number != "" {
					label = item.Number
				} else if block.Ordered {
					label = fmt.Sprintf("%d.", max(1, block.Start)+j)
				}
				var inner strings.Builder
				plain(&inner, item.Children, "")
				fmt.Fprintf(b, "%s%s %s\n", indent, label, strings.ReplaceAll(strings.TrimSpace(inner.String()), "\n\n", "\n"))
			}
			b.WriteString("\n")
		case doc.Table:
			caption(b, block)
			grid(b, block.Table)
		case doc.Code:
			fmt.Fprintf(b, "```\n%s\n```\n\n", block.Text)
		case doc.Figure:
			caption(b, block)
			plain(b, block.Children, indent)
		default:
			if text := doc.PlainText(block.Inlines); text != "" {
				b.WriteString(indent + text + "\n\n")
			}
			plain(b, block.Children, indent)
		}
	}
}

func numbered(block *doc.Block) string {
	text := doc.PlainText(block.Inlines)
	if block.Number != "" {
		return block.Number + " " + text
	}
	return text
}

func caption(b *strings.Builder, block *doc.Block) {
	if len(block.Caption) > 0 {
		b.WriteString(doc.PlainText(block.Caption) + "\n\n")
	}
}

func grid(b *strings.Builder, g *doc.Grid) {
	b.WriteString("<table>")
	at := 0
	for row := range g.Rows {
		b.WriteString("<tr>")
		for ; at < len(g.Cells) && g.Cells[at].Row == row; at++ {
			c := &g.Cells[at]
			b.WriteString("<td")
			if c.Height() > 1 {
				fmt.Fprintf(b, ` rowspan="%d"`, c.Height())
			}
			if c.Width() > 1 {
				fmt.Fprintf(b, ` colspan="%d"`, c.Width())
			}
			b.WriteString(">" + html.EscapeString(strings.ReplaceAll(c.PlainText(), "\n", " ")) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>\n\n")
}
