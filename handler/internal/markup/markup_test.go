package markup_test

import (
	"strings"
	"testing"

	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/markup"
)

var (
	code = lazyregexp.New("`([^`]+)`")
	link = lazyregexp.New(`<([^>]+)>`)
	bold = markup.Look{Pattern: lazyregexp.New(`\*([^*]+)\*`), Replace: "<b>$1</b>"}
)

func inline(text string) string {
	n := markup.NewInline(text)
	n.Put(code, func(m []string) string { return "<code>" + m[1] + "</code>" })
	n.Put(link, func(m []string) string { return markup.Link(m[1], m[1]) })
	n.Escape()
	n.Look(bold)
	return n.HTML()
}

func TestInline(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"what is put aside is not looked at again", "`*a*` *b* & c", "<code>*a*</code> <b>b</b> &amp; c"},
		{"what is put aside twice comes back twice", "<x`y`z>", `<a href="x<code>y</code>z">x<code>y</code>z</a>`},
		{"signs of ours in the text", "a\x007\x01b\x00 `c`", "a7b <code>c</code>"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := inline(tt.text); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestManyAside: a paragraph with very many pieces of code is one pass, not one for each piece.
func TestManyAside(t *testing.T) {
	const n = 200_000
	if got := inline(strings.Repeat("`x` ", n)); len(got) != n*len("<code>x</code> ") {
		t.Errorf("%d bytes", len(got))
	}
}

func TestCursor(t *testing.T) {
	c := markup.Cursor{Lines: []string{"a", "b", "", "", "c"}}
	if got := c.UntilBlank(); len(got) != 2 || c.Line() != "" || c.Next() != "" {
		t.Errorf("took %q", got)
	}
	blank := func(line string) bool { return line == "" }
	if got := c.First(blank); got != "c" || c.At != 2 {
		t.Errorf("the first line that is not blank is %q", got)
	}
	if got := c.While(blank); len(got) != 2 || c.Line() != "c" || c.Next() != "" {
		t.Errorf("took %q", got)
	}
	c.At++
	if c.More() || c.First(blank) != "" {
		t.Error("there is more behind the end")
	}
}

func TestNotes(t *testing.T) {
	if got := markup.Notes(nil); got != "" {
		t.Errorf("%q", got)
	}
	want := `<section class="footnotes"><ol><li id="fna&lt;"><p>x</p></li></ol></section>`
	if got := markup.Notes([]markup.Note{{Label: "a<", HTML: "<p>x</p>"}}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
