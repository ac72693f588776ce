// Package code reads source code: one code block per file with its language, or several where the file is long,
// cut between top-level pieces. The language comes from the extension, or from the interpreter that the first line names.
package code
