// Package latex reads LaTeX as a person reads the source: sections, lists, tables, figures, footnotes and looks become what they mean,
// formulas stay LaTeX. It does not run TeX: macros of the document without arguments are replaced, others are passed over with their
// text kept.
//
// scan.go cuts the source into tokens, write.go writes HTML for them, environment.go and tabular.go for environments; htmldoc reads it.
package latex
