// Package markdown reads Markdown files: front matter into the metadata (frontmatter.go), the text through mdtext.
// A large text is cut before headings and read piece by piece.
package markdown
