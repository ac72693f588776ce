package mdtext

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
)

// Options are what differs between the formats that have Markdown inside.
type Options struct {
	Place     doc.Place // set on every block beside its lines
	FirstLine int       // lines of the source before this text
	// Resource gives the bytes and media type of a picture that the text refers to, or nil.
	Resource func(reference string) (data []byte, mediaType string)
}

// Convert appends the text's content to d.
func Convert(ctx context.Context, in *format.Input, d *doc.Document, text string, o Options) error {
	var out bytes.Buffer
	if err := newEngine().Convert([]byte(text), &out); err != nil {
		return fmt.Errorf("read markdown: %w", err)
	}
	root, flattened := htmldoc.Tree(out.String())
	if flattened {
		d.Warn("nesting_flattened", "Elements were nested more deeply than can be followed; the innermost containers were left out, their content was kept.")
	}
	prefix := ""
	if len(d.Notes) > 0 {
		prefix = fmt.Sprintf("%d-", len(d.Notes))
	}
	before := len(d.Blocks)
	err := htmldoc.ConvertTree(ctx, d, root, text, htmldoc.Options{
		Files: in.Files, Hidden: in.Options.Hidden, Lines: true, FirstLine: o.FirstLine, NotePrefix: prefix, Place: o.Place, Resource: o.Resource, DataTables: true,
	})
	labelAlerts(d.Blocks[before:])
	return err
}

// never matches nothing, and says so at the first byte: it is asked at every word, and would search the rest of the line.
var never = lazyregexp.New(`^[^\s\S]`)

func newEngine() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.Table, extension.Strikethrough, extension.TaskList, extension.DefinitionList,
			extension.NewLinkify(extension.WithLinkifyEmailRegexp(never.Std())), // an address in a text is no link
			footnotes{}, formulas{}, rawHTML{},
		),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()),
		goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()),
	)
}

var alert = lazyregexp.New(`^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*`)

// labelAlerts reads GitHub's alerts: quotes whose first line is [!NOTE] and the like.
func labelAlerts(blocks []doc.Block) {
	doc.Walk(blocks, func(b *doc.Block) bool {
		if b.Kind != doc.Quote || len(b.Children) == 0 || len(b.Children[0].Inlines) == 0 {
			return true
		}
		first := &b.Children[0].Inlines[0]
		m := alert.FindStringSubmatch(first.Text)
		if m == nil {
			return true
		}
		b.Label = m[1][:1] + strings.ToLower(m[1][1:])
		first.Text = first.Text[len(m[0]):]
		if first.Text == "" {
			b.Children[0].Inlines = b.Children[0].Inlines[1:]
		}
		if len(b.Children[0].Inlines) == 0 {
			b.Children = b.Children[1:]
		}
		return true
	})
}
