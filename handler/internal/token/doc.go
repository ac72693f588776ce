// Package token counts tokens as models do, without the network: the vocabularies of o200k_base and cl100k_base are in the binary,
// any Hugging Face tokenizer.json (BPE, WordPiece, Unigram) is read from a file, and characters and words are counted as they are.
//
// New gives a Counter by name. Starting costs nothing: the embedded vocabularies are hash tables that are used where they lie
// (table.go; made by vocab/generate.go), because a converter is a short-lived process and building maps of 200,000 words takes
// it longer than most documents. Counting is linear in the text but for single words of megabytes (n log n), and the counts of
// words are kept.
//
// The embedded vocabularies are OpenAI's (tiktoken, MIT).
package token
