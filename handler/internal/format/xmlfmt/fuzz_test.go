package xmlfmt_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/xmlfmt"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, xmlfmt.Format(), "a.xml",
		"<article><front><article-meta><article-title>t</article-title></article-meta></front><body><sec><title>s</title><p>x<xref ref-type=\"fn\" rid=\"f\">1</xref></p><fn id=\"f\"><p>n</p></fn></sec></body></article>",
		"<book xmlns=\"http://docbook.org/ns/docbook\"><chapter><title>c</title><para>p<footnote><para>f</para></footnote></para></chapter></book>",
		"<rss><channel><title>t</title><item><title>i</title><description>&lt;b&gt;x</description></item></channel></rss>",
	)
}
