package markdown_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/markdown"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, markdown.Format(), "a.md",
		"---\ntitle: x\n---\n# A\n\n|a|b|\n|-|-|\n|1|$x$|\n\nn[^1]\n\n[^1]: note\n",
		"$$\nx\n$$\n<details><summary>s</summary>\n\n**b**\n</details>",
	)
}
