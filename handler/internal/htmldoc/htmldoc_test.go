package htmldoc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/htmldoc"
)

func convert(t *testing.T, text string, o htmldoc.Options) *doc.Document {
	t.Helper()
	d := &doc.Document{}
	if o.Files == nil {
		o.Files = &formattest.Files{}
	}
	if err := htmldoc.Convert(context.Background(), d, text, o); err != nil {
		t.Fatal(err)
	}
	d.Finish()
	formattest.Check(t, d)
	return d
}

func plain(blocks []doc.Block) string {
	var parts []string
	doc.Walk(blocks, func(b *doc.Block) bool {
		if text := b.PlainText(); text != "" {
			parts = append(parts, text)
		}
		return true
	})
	return strings.Join(parts, "|")
}

func TestConvertAtAnyDepth(t *testing.T) {
	for _, depth := range []int{330, 600, 5000} {
		for _, tag := range []string{"div", "span", "b", "blockquote", "table><tr><td", "ul><li", "p"} {
			text := strings.Repeat("<"+tag+">", depth) + "<p>deep</p><table><tr><td>x</td><td>y</td></tr></table>"
			d := convert(t, text, htmldoc.Options{})
			if got := plain(d.Blocks); !strings.Contains(got, "deep") || !strings.Contains(got, "x") {
				t.Errorf("%d nested <%s>: %q, want deep and x", depth, tag, got)
			}
			flattened := false
			for _, w := range d.Warnings {
				flattened = flattened || w.Class == "nesting_flattened"
			}
			if tag == "div" && flattened != (depth > 500) {
				t.Errorf("%d nested <%s>: nesting_flattened = %v", depth, tag, flattened)
			}
		}
	}
}

func TestConvertKeepsHiddenContentApart(t *testing.T) {
	const page = `<p>seen</p><p hidden>h1</p><p style="display: none">h2</p><p aria-hidden=true>h3</p><p style="font-size:0px">h4</p>
		<p style="opacity:0">h5</p><p style="font-size:10px">seen too</p><template>never</template><script>never()</script><style>never{}</style>`
	d := convert(t, page, htmldoc.Options{})
	if got, want := plain(d.Blocks), "seen|seen too"; got != want {
		t.Errorf("body %q, want %q", got, want)
	}
	var hidden []string
	for _, h := range d.Hidden {
		hidden = append(hidden, h.Reason+" "+plain(h.Blocks))
	}
	want := []string{"hidden_element h1", "hidden_element h2", "hidden_element h3", "tiny h4", "hidden_text h5"}
	if diff := cmp.Diff(want, hidden); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	included := convert(t, page, htmldoc.Options{Hidden: "include"})
	if got := plain(included.Blocks); !strings.Contains(got, "h1|h2|h3|h4|h5") || strings.Contains(got, "never") {
		t.Errorf("with hidden content: %q", got)
	}
}

func TestSafeLink(t *testing.T) {
	tests := []struct {
		href, want string
		ok         bool
	}{
		{"https://example.org/a b", "https://example.org/a b", true},
		{"a/b#c", "a/b#c", true},
		{"mailto:x@y.z", "mailto:x@y.z", true},
		{"javascript:x()", "", false},
		{" JaVa\tScript\n:x()", "", false},
		{"java\u200bscript:x()", "", false},
		{"javascript%3Ax()", "", false},
		{"vbscript:x", "", false},
		{"data:text/html,<script>", "", false},
		{"note:javascript:x", "note:javascript:x", true},
	}
	for _, tt := range tests {
		if got, ok := htmldoc.SafeLink(tt.href); got != tt.want || ok != tt.ok {
			t.Errorf("SafeLink(%q) = %q, %v, want %q, %v", tt.href, got, ok, tt.want, tt.ok)
		}
	}
}

func TestFormulas(t *testing.T) {
	tests := []struct{ name, mathml, want string }{
		{"fraction and root", `<mfrac><mi>a</mi><msqrt><mn>2</mn></msqrt></mfrac>`, `\frac{a}{\sqrt{2}}`},
		{"scripts on a group", `<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>`, `{(x)}^{2}`},
		{"limits", `<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>`, `\sum_{i = 1}^{n}`},
		{"function and letter", `<mi>sin</mi><mi>x</mi>`, `\sin x`},
		{"command before a letter", `<mi>α</mi><mi>x</mi>`, `\alpha x`},
		{"matrix", `<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>`, `\begin{matrix} 1 & 0 \\ 0 & 1 \end{matrix}`},
		{"accent", `<mover><mi>x</mi><mo>¯</mo></mover>`, `\overline{x}`},
		{"text with signs", `<mtext>5 % of $</mtext>`, `\text{5 \% of \$}`},
		{"annotation", `<semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics>`, `E=mc^2`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := convert(t, "<p><math>"+tt.mathml+"</math></p>", htmldoc.Options{})
			if len(d.Blocks) != 1 || d.Blocks[0].Inlines[0].Text != tt.want {
				t.Errorf("got %q, want %q", plain(d.Blocks), tt.want)
			}
		})
	}
}

func TestMainContent(t *testing.T) {
	const page = `<body><header><a href=/>Site</a></header><nav><ul><li><a href=a>Home</a><li><a href=b>Shop</a></ul></nav><div class=content><h1>Story</h1>
		<p>The first paragraph has enough text, with commas, to be taken for the story that it is.</p>
		<p>The second paragraph, too, has enough text to be taken for a part of the story.</p><div class="share-buttons"><a href=x>Tweet</a></div></div>
		<aside>Related things</aside><footer>Copyright</footer></body>`
	full, main := plain(convert(t, page, htmldoc.Options{}).Blocks), plain(convert(t, page, htmldoc.Options{Main: true}).Blocks)
	for _, word := range []string{"Home", "Related", "Copyright", "Tweet"} {
		if !strings.Contains(full, word) || strings.Contains(main, word) {
			t.Errorf("%s: in the whole page %v, in the main content %v", word, strings.Contains(full, word), strings.Contains(main, word))
		}
	}
	if !strings.Contains(main, "Story") || !strings.Contains(main, "second paragraph") {
		t.Errorf("main content lost the story: %q", main)
	}
}

func TestLines(t *testing.T) {
	d := convert(t, "<html>\n<body>\n<p>first paragraph\nover two lines</p>\n\n<h2>heading &amp; more</h2>\n<table>\n<tr><td>cellone</td>\n<td>celltwo</td></tr></table>", htmldoc.Options{Lines: true})
	var got [][2]int
	for _, b := range d.Blocks {
		got = append(got, [2]int{b.Places[0].Line, b.Places[0].EndLine})
	}
	if diff := cmp.Diff([][2]int{{3, 3}, {6, 6}, {8, 9}}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestEnormousSpansStayCheap(t *testing.T) {
	row := "<tr>" + strings.Repeat("<td colspan=1000 rowspan=60000>x", 300)
	d := convert(t, "<table border=1><tr><th>h"+strings.Repeat(row, 20)+"</table>", htmldoc.Options{})
	if d.Blocks[0].Table.Columns > 16384 {
		t.Errorf("%d columns", d.Blocks[0].Table.Columns)
	}
}

func TestPlainText(t *testing.T) {
	got := htmldoc.PlainText("<h1>A &amp; b</h1><p>one <b>two</b>\n three<script>x()</script><table><tr><td>1<td>2</table><ul><li>i</ul>")
	if want := "# A & b\none two three\n\t1\t2\n- i\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestScriptsAreTold: nothing is left out in silence, in the head of a page neither.
func TestScriptsAreTold(t *testing.T) {
	for page, want := range map[string]int{
		"<head><script>a()</script><script src=x></script></head><p>text</p>": 2,
		"<p>text<script>a()</script></p>":                                     1,
		"<head><style>p{}</style><meta name=a></head><p>text</p>":             0,
	} {
		d := convert(t, page, htmldoc.Options{Metadata: true})
		got := 0
		for _, w := range d.Warnings {
			if w.Class == "active_content" {
				got = max(1, w.Count)
			}
		}
		if got != want || plain(d.Blocks) != "text" {
			t.Errorf("%s: %d scripts told, want %d; text %q", page, got, want, plain(d.Blocks))
		}
	}
}

// TestNotesBesideOtherContent holds that a place of notes keeps what is no note: a heading, an introduction, a note that nobody cites.
func TestNotesBesideOtherContent(t *testing.T) {
	d := &doc.Document{}
	page := `<p>Text<a href="#n1">1</a> and<a href="#n2">2</a>.</p><section role="doc-endnotes"><hr><h2>Notes</h2><p>Where the lines come from.</p>` +
		`<section><h3>Part one</h3><ol><li id="n1">First.</li><li id="n9">Never cited.</li></ol></section><section><h3>Part two</h3><aside id="n2">Second.</aside></section></section><p>End</p>`
	if err := htmldoc.Convert(t.Context(), d, page, htmldoc.Options{}); err != nil {
		t.Fatal(err)
	}
	want := "Text[^n1] and[^n2].\n\n## Notes\n\nWhere the lines come from.\n\n### Part one\n\n- Never cited.\n\n### Part two\n\nEnd\n\n[^n1]: First.\n\n[^n2]: Second.\n"
	if diff := cmp.Diff(want, text(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMathOddities: what LaTeX cannot read when it is written carelessly.
func TestMathOddities(t *testing.T) {
	for _, tt := range []struct{ name, math, want string }{
		{"a space at the end of a brace", `<munder><mrow><mi>a</mi><mspace width="1em"/></mrow><mo>⏟</mo></munder>`, `$\underbrace{a\quad}$`},
		{"a thin space, a space without width", `<mi>a</mi><mspace width="0.2em"/><mi>b</mi><mspace/><mi>c</mi>`, `$a\,bc$`},
		{"letters of alphabets", `<mi>ℒ</mi><mi>𝒦</mi><mi>𝔟</mi><mi>𝐱</mi><mn>𝟚</mn><mi>ℵ</mi>`, `$\mathcal{L}\mathcal{K}\mathfrak{b}\mathbf{x}\mathbb{2}\aleph$`},
		{"an operator of letters", `<mo>cov</mo><mo>(</mo><mi>x</mi><mo>)</mo>`, `$\operatorname{cov}(x)$`},
		{"a brace that nothing closes", `<mi>f</mi><mrow><mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable></mrow>`, `$f\left\{\begin{matrix} 1 \end{matrix}\right.$`},
		{"long division", `<mlongdiv><mn>3</mn><mn>435.3</mn><mn>1306</mn></mlongdiv>`, `$3 435.3 1306$`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &doc.Document{}
			if err := htmldoc.Convert(t.Context(), d, "<p><math>"+tt.math+"</math></p>", htmldoc.Options{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want+"\n", text(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSwitch: an e-book's epub:switch shows one of its cases; MathML under a prefix is a formula.
func TestSwitch(t *testing.T) {
	d := &doc.Document{}
	page := `<epub:switch><epub:case required-namespace="http://example.com/unknown"><p>NO</p></epub:case><epub:default><p>YES</p></epub:default></epub:switch>` +
		`<p>And <epub:switch><epub:case required-namespace="http://www.w3.org/1998/Math/MathML"><m:math><m:mi>x</m:mi><m:mo>+</m:mo><m:mn>1</m:mn></m:math></epub:case><epub:default>NO</epub:default></epub:switch>.</p>`
	if err := htmldoc.Convert(t.Context(), d, page, htmldoc.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("YES\n\nAnd $x + 1$.\n", text(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
