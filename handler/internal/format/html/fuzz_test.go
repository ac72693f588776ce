package html_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/html"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, html.Format(), "a.html",
		"<table><tr><td rowspan=0 colspan=3>x<td rowspan=2>y<tr><td>z</table>",
		"<ul><li>a<ul><li>b</ul><p>c</ul><dl><dt>t<dd>d</dl><pre><code class=language-go>x</code></pre>",
		"<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math><a href=\"java\tscript:x\">y</a><img src=data:image/png;base64,AAAA>",
	)
}
