package markdown_test

import (
	"bytes"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"decant/handler/internal/doc"
	"decant/handler/internal/markdown"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderhtml "github.com/yuin/goldmark/renderer/html"
)

func link(target, text string) doc.Inline {
	return doc.Inline{Kind: doc.Text, Text: text, Link: target}
}

func TestRenderInlines(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []doc.Inline
		want string
	}{
		{"plain text has no escapes", []doc.Inline{doc.T("2 * 3, snake_case, 5 > 4, a|b, 50% [x] #1 1) C++ & co.")}, "2 * 3, snake_case, 5 > 4, a|b, 50% [x] #1 1) C++ & co."},
		{"a single star is only text", []doc.Inline{doc.T("p* < 0.05")}, "p* < 0.05"},
		{"two stars", []doc.Inline{doc.T("*a* and **b")}, `\*a\* and \*\*b`},
		{"heading look", []doc.Inline{doc.T("# no heading")}, `\# no heading`},
		{"hash without blank", []doc.Inline{doc.T("#tag")}, `#tag`},
		{"number look", []doc.Inline{doc.T("1. no item")}, `1\. no item`},
		{"number over two runs", []doc.Inline{doc.T("1"), marked(doc.Strong, ". x")}, `1<strong>\. x</strong>`},
		{"year at the start", []doc.Inline{doc.T("1984 was")}, "1984 was"},
		{"bullet look on a second line", []doc.Inline{doc.T("a\n- b\n=== \n> c")}, "a\n\\- b\n\\===\n\\> c"},
		{"tag look", []doc.Inline{doc.T("a <b> <3 </x> <!-- x")}, `a \<b> <3 \</x> \<!-- x`},
		{"entity look", []doc.Inline{doc.T("&amp; & &x &#65;")}, `\&amp; & &x \&#65;`},
		{"link look", []doc.Inline{doc.T("[a](b) and [^1]")}, `[a\](b) and \[^1]`},
		{"link look over two runs", []doc.Inline{doc.T("[a]"), doc.T("(b)")}, `[a\](b)`},
		{"definition look", []doc.Inline{doc.T("[a]: b")}, `\[a]: b`},
		{"marks", []doc.Inline{doc.T("a "), marked(doc.Strong, "b"), doc.T(" "), marked(doc.Emphasis, "c"), marked(doc.Strong|doc.Emphasis, "d")}, "a **b** *c**d***"},
		{"blanks stand outside of marks", []doc.Inline{doc.T("a"), marked(doc.Strong, " b "), doc.T("c")}, "a **b** c"},
		{"marks that delimiters cannot say", []doc.Inline{marked(doc.Strong, "b:"), doc.T("c")}, "<strong>b:</strong>c"},
		{"sub and sup", []doc.Inline{doc.T("H"), marked(doc.Subscript, "2"), doc.T("O x"), marked(doc.Superscript, "2")}, "H<sub>2</sub>O x<sup>2</sup>"},
		{"code", []doc.Inline{marked(doc.Monospace, "a`b"), doc.T(" "), marked(doc.Monospace, "*c*")}, "``a`b`` `*c*`"},
		{"link", []doc.Inline{link("https://x.org/a b", "see *a* [b]")}, `[see \*a\* \[b\]](<https://x.org/a b>)`},
		{"bold link", []doc.Inline{{Kind: doc.Text, Text: "a", Link: "b", Marks: doc.Strong}}, "[**a**](b)"},
		{"autolink", []doc.Inline{link("https://x.org/_a_", "https://x.org/_a_"), doc.T(" "), link("mailto:a@b.c", "a@b.c")}, "<https://x.org/_a_> <a@b.c>"},
		{"parentheses in a target", []doc.Inline{link("a(b", "x"), link("a(b)", "y")}, "[x](<a(b>)[y](a(b))"},
		{"hard break", []doc.Inline{doc.T("a "), {Kind: doc.Break}, doc.T(" b")}, "a\\\nb"},
		{"math", []doc.Inline{doc.T("cost $5 "), {Kind: doc.Math, Text: "x^2"}}, `cost \$5 $x^2$`},
		{"dollars", []doc.Inline{doc.T("$5 and $6")}, `\$5 and \$6`},
		{"exclamation before a link", []doc.Inline{doc.T("wow!"), link("b", "a")}, `wow\![a](b)`},
		{"picture in text", []doc.Inline{doc.T("see "), {Kind: doc.Picture, Image: "i9", Text: "a [logo]"}}, `see ![a \[logo\]](i9)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := markdown.Render(document(par(c.in...)), markdown.Options{})
			if diff := cmp.Diff(c.want+"\n", got.Text); diff != "" {
				t.Error(diff)
			}
			checkMap(t, got)
		})
	}
}

// reader is an independent reader of GFM.
var reader = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(renderhtml.WithUnsafe()))

var anyTag = regexp.MustCompile(`</?[a-z][^>]*>`)

// readBack is the text that a reader of the Markdown sees, blanks folded.
func readBack(t *testing.T, md string) string {
	t.Helper()
	var out bytes.Buffer
	if err := reader.Convert([]byte(md), &out); err != nil {
		t.Fatal(err)
	}
	return fold(html.UnescapeString(anyTag.ReplaceAllString(strings.NewReplacer("<br />", " ", "<br>", " ").Replace(out.String()), "")))
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestTextSurvives writes random texts made of what Markdown reads as markup, and lets another reader read them.
func TestTextSurvives(t *testing.T) {
	pieces := []string{"a", "b1", " ", " ", "*", "**", "_", "~", "~~", "`", "#", "# ", "1. ", "12) ", "- ", "+ ", "> ", "[", "]", "](", "(x)", "]: ", "!", "![",
		"<", "<b>", "</b", "&amp;", "&", "\\", "|", "| --- |", "---", "===", "\n", "\n", ".", ":", "é", "中", "[x] ", "[^1]", ": ", "$", "```", "~~~", "<!--", "%"}
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	marks := []doc.Marks{0, 0, doc.Strong, doc.Emphasis, doc.Strong | doc.Emphasis, doc.Strike, doc.Superscript}
	for n := range 30000 {
		var in []doc.Inline
		for range 1 + random.IntN(3) {
			in = append(in, marked(marks[random.IntN(len(marks))], text()))
		}
		var b doc.Block
		switch n % 4 {
		case 0:
			b = par(in...)
		case 1:
			b = doc.Block{Kind: doc.Heading, Level: 2, Inlines: in}
		case 2:
			b = bullets(item(par(in...)))
		case 3:
			b = table(1, []string{"h"}, []string{"x"})
			b.Table.Cells[1].Blocks = []doc.Block{par(in...)}
		}
		out := markdown.Render(document(b), markdown.Options{})
		want := fold(doc.PlainText(in))
		if n%4 == 3 {
			want = fold("h " + want)
		}
		if got := readBack(t, out.Text); got != want {
			t.Fatalf("case %d: %+v\nwritten as %q\nread as    %q\nwant       %q", n, in, out.Text, got, want)
		}
		checkMap(t, out)
		if t.Failed() {
			t.Fatalf("%+v", in)
		}
	}
}

// TestMarksSurvive writes words with random looks, and lets another reader say how each letter looks.
func TestMarksSurvive(t *testing.T) {
	pieces := []string{"a", "bc", " ", " d ", "e.", "(f)", "g: ", "h", " i"}
	marks := []doc.Marks{0, 0, doc.Strong, doc.Emphasis, doc.Strong | doc.Emphasis, doc.Strike, doc.Strong | doc.Strike, doc.Emphasis | doc.Strike, doc.Underline | doc.Strong, doc.Superscript}
	tags := map[string]doc.Marks{"strong": doc.Strong, "em": doc.Emphasis, "del": doc.Strike, "s": doc.Strike, "u": doc.Underline, "sup": doc.Superscript}
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 20000 {
		var in []doc.Inline
		want := ""
		for range 1 + random.IntN(5) {
			text, mark := pieces[random.IntN(len(pieces))], marks[random.IntN(len(marks))]
			in = append(in, marked(mark, text))
			for _, c := range strings.ReplaceAll(text, " ", "") {
				want += string(c) + strings.Join(mark.Names(), "+") + " "
			}
		}
		out := markdown.Render(document(par(in...)), markdown.Options{})
		var page bytes.Buffer
		if err := reader.Convert([]byte(out.Text), &page); err != nil {
			t.Fatal(err)
		}
		got, now := "", doc.Marks(0)
		for _, part := range anyPart.FindAllString(page.String(), -1) {
			name := strings.Trim(part, "</>")
			switch {
			case !strings.HasPrefix(part, "<"):
				for _, c := range strings.Join(strings.Fields(html.UnescapeString(part)), "") {
					got += string(c) + strings.Join(now.Names(), "+") + " "
				}
			case strings.HasPrefix(part, "</"):
				now &^= tags[name]
			default:
				now |= tags[name]
			}
		}
		if got != want {
			t.Fatalf("case %d: %+v\nwritten as %q\nread as %q\nwant    %q", n, in, out.Text, got, want)
		}
	}
}

var anyPart = regexp.MustCompile(`<[^>]*>|[^<]+`)
