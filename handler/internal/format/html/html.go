package html

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// Format describes HTML and XHTML.
func Format() format.Format {
	return format.Format{
		Name: "html", Title: "Web page",
		Extensions:  []string{".html", ".htm", ".xhtml", ".xht", ".shtml"},
		MediaTypes:  []string{"text/html", "application/xhtml+xml"},
		Description: "HTML5 recovery at any depth, tables with spans, lists, code, MathML; whole page or main content",
		Match:       match,
		Parse:       parse,
	}
}

var (
	opening = lazyregexp.New(`(?i)^\s*(?:<\?xml[^>]*\?>\s*|<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)[\s>]`)
	tag     = lazyregexp.New(`(?i)</?(?:p|div|span|table|tr|td|th|ul|ol|li|h[1-6]|a|b|i|br|img|head|title|meta|body|html|font|center|form|script|style|section|article|strong|em|pre|code|details|dl|dt|dd)(?:\s[^<>]*)?/?>`)
)

func match(h *format.Head) int {
	text := h.Text
	if text == "" {
		return 0
	}
	if opening.MatchString(text) {
		return 90
	}
	tags := len(tag.FindAllStringIndex(text, 200))
	trimmed := strings.TrimSpace(text)
	switch {
	case tags == 0:
		return 0
	case h.HasExtension(".html", ".htm", ".xhtml", ".xht", ".shtml"):
		return 60
	case strings.HasPrefix(trimmed, "<") && !strings.HasPrefix(trimmed, "<?xml") && tag.FindStringIndex(trimmed)[0] == 0 && tags*60 > len(text[:min(len(text), 12000)]):
		return 40
	}
	return 0
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	raw, err := textfile.ReadRaw(in)
	if err != nil {
		return nil, err
	}
	text := textfile.Decode(raw, d, htmldoc.Declared(raw)...)
	o := htmldoc.Options{
		Main: in.Options.HTML == "main", Files: in.Files, Hidden: in.Options.Hidden, Lines: true, Metadata: true,
	}
	switch tooLarge := in.Limits.Memory > 0 && htmldoc.Cost(text) > in.Limits.Memory/4; {
	case !tooLarge:
		return d, htmldoc.Convert(ctx, d, text, o)
	case in.Part != nil && !o.Main:
		return d, htmldoc.ConvertParts(ctx, d, text, o, in.Part)
	case htmldoc.Cost(text) <= in.Limits.Memory*6/10:
		return d, htmldoc.Convert(ctx, d, text, o)
	}
	return d, textfile.Lean(ctx, in, d, htmldoc.PlainText(text), "")
}
