package mhtml_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/mhtml"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, mhtml.Format(), "a.mhtml",
		"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\nContent-Location: http://a/\n\n<p>x<img src=cid:1>\n--b--\n",
	)
}
