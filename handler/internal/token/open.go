package token

import "fmt"

// Open reads a Hugging Face tokenizer.json.
func Open(path string) (Counter, error) {
	return nil, fmt.Errorf("read tokenizer %s: not possible", fileName(path))
}
