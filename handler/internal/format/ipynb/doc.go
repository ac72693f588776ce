// Package ipynb reads Jupyter notebooks (nbformat 3 and 4): Markdown cells as text, code cells with the kernel's language,
// outputs as text, tables, pictures and errors.
package ipynb
