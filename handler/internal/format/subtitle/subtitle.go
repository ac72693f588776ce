package subtitle

import (
	"context"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// VTT describes WebVTT.
func VTT() format.Format {
	return format.Format{
		Name: "vtt", Title: "WebVTT subtitles", Extensions: []string{".vtt"}, MediaTypes: []string{"text/vtt"},
		Description: "cues as paragraphs, with speakers and looks; times as places",
		Match: func(h *format.Head) int {
			line, _, _ := strings.Cut(strings.TrimPrefix(h.Text, "\ufeff"), "\n")
			if line = strings.TrimRight(line, "\r"); line == "WEBVTT" || strings.HasPrefix(line, "WEBVTT ") || strings.HasPrefix(line, "WEBVTT\t") {
				return format.Certain
			}
			return 0
		},
		Parse: parse,
	}
}

// SRT describes SubRip.
func SRT() format.Format {
	return format.Format{
		Name: "srt", Title: "SubRip subtitles", Extensions: []string{".srt"}, MediaTypes: []string{"application/x-subrip"},
		Description: "cues as paragraphs; times as places",
		Match: func(h *format.Head) int {
			if srtStart.MatchString(h.Text) {
				return 90
			}
			return 0
		},
		Parse: parse,
	}
}

var (
	srtStart = lazyregexp.New(`^\s*\d+[ \t]*\r?\n[ \t]*\d{1,2}:\d\d:\d\d[,.]\d{1,3}[ \t]*-->`)
	timing   = lazyregexp.New(`^\s*((?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3})`)
	// oddTiming is a time line that breaks the rules: an arrow of another form, times without their fractions.
	oddTiming = lazyregexp.New(`^\s*((?:\d+:)+\d+(?:[.,]\d+)?)\s*(?:-{1,3}>|=+>|[–—]>?|→)\s*((?:\d+:)+\d+(?:[.,]\d+)?)(?:\s|$)`)
	voice     = lazyregexp.New(`<v(?:\.[^ >]*)?\s+([^>]+)>`)
	// headerLanguage stands in the lines up to the first blank one.
	headerLanguage = lazyregexp.New(`^[^\n]*\n(?:[^\r\n]+\r?\n)*?Language:[ \t]*([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)`)
	inlineTS       = lazyregexp.New(`<(?:\d+:)?\d\d:\d\d\.\d{3}>`)
	styling        = lazyregexp.New(`\{\\[^}]*\}`)
	classTag       = lazyregexp.New(`</?(?:c|lang|v|ruby|rt)(?:\.[^ >]*)?(?:\s[^>]*)?>`)
	tagClass       = lazyregexp.New(`<([biu])\.[^>]*>`)
)

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, "")
	}
	for _, c := range cues(text) {
		c.warn(d)
		if err := add(ctx, in, d, c); err != nil {
			return nil, err
		}
	}
	title(d, text)
	return d, nil
}

// title takes the text after WEBVTT in the first line, and the language that the header names.
func title(d *doc.Document, text string) {
	line, _, _ := strings.Cut(text, "\n")
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "WEBVTT"); ok {
		d.Metadata.Title = strings.TrimLeft(strings.TrimSpace(rest), "-–: ")
		if m := headerLanguage.FindStringSubmatch(text); m != nil {
			d.Metadata.Language = m[1]
			d.Metadata.Sources = map[string]string{"language": "vtt"}
		}
	}
}

// add writes a cue as a paragraph: who speaks in bold, lines joined.
func add(ctx context.Context, in *format.Input, d *doc.Document, c cue) error {
	if len(c.lines) == 0 {
		return nil
	}
	var texts []string
	for _, line := range c.lines {
		texts = append(texts, line.Text)
	}
	text := styling.ReplaceAllString(inlineTS.ReplaceAllString(strings.Join(texts, "\n"), ""), "")
	text = spoken(text)
	text = tagClass.ReplaceAllString(classTag.ReplaceAllString(text, ""), "<$1>")
	text = strings.ReplaceAll(text, "\n", "<br>")
	before := len(d.Blocks)
	if err := htmldoc.Convert(ctx, d, text, htmldoc.Options{}); err != nil {
		return err
	}
	place := doc.Place{Part: c.times(), Line: c.lines[0].Number, EndLine: c.lines[len(c.lines)-1].Number}
	for i := before; i < len(d.Blocks); i++ {
		d.Blocks[i].Places = []doc.Place{place}
	}
	return nil
}

// spoken writes who speaks, in bold, before what is said, and begins a line for each voice of a cue.
func spoken(text string) string {
	var b strings.Builder
	at, last := 0, ""
	for _, m := range voice.FindAllStringSubmatchIndex(text, -1) {
		name := strings.TrimSpace(text[m[2]:m[3]])
		before := text[at:m[0]]
		at = m[1]
		b.WriteString(before)
		if name == last {
			continue
		}
		if b.Len() > 0 && !strings.HasSuffix(strings.TrimRight(b.String(), " "), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString("<b>" + name + ":</b> ")
		last = name
	}
	b.WriteString(text[at:])
	return b.String()
}
