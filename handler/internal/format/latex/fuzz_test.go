package latex_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/latex"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, latex.Format(), "a.tex",
		"\\documentclass{article}\\newcommand{\\x}{\\x}\\begin{document}\\section{a}$x$ \\x \\begin{tabular}{ll}a&\\multirow{2}{*}{b}\\\\\\hline c&\\\\\\end{tabular}\\footnote{n}\\begin{itemize}\\item a\\end{itemize}\\end{document}",
	)
}
