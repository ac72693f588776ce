package rst_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/rst"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, rst.Format(), "a.rst",
		"T\n=\n\n+--+--+\n|a |b |\n+==+==+\n|c    |\n+--+--+\n\n.. note:: x\n\n* a\n\n  * b\n\n== ==\na  b\n== ==\nc  d\n== ==\n\nx::\n\n  code\n",
		".. list-table::\n   :header-rows: 1\n\n   * - a\n     - b\n   * - c\n",
	)
}
