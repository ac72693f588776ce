package token

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// maxFile bounds a tokenizer.json: the largest known ones have 35 MB.
const maxFile = 256 << 20

// Open reads a Hugging Face tokenizer.json: BPE, WordPiece, Unigram or WordLevel with the usual normalizers and pre-tokenizers.
// What it does not know it refuses by name, for a wrong count would be worse than none.
func Open(path string) (Counter, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open tokenizer %s: %w", fileName(path), err)
	}
	defer f.Close()
	c, err := Read(io.LimitReader(f, maxFile), fileName(path))
	if err != nil {
		return nil, fmt.Errorf("read tokenizer %s: %w", fileName(path), err)
	}
	return c, nil
}

// Read reads a tokenizer.json. The name is what the counter will be called.
func Read(r io.Reader, name string) (Counter, error) {
	var file struct {
		AddedTokens []struct {
			Content string `json:"content"`
		} `json:"added_tokens"`
		Normalizer    json.RawMessage `json:"normalizer"`
		PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
		Model         json.RawMessage `json:"model"`
		PostProcessor json.RawMessage `json:"post_processor"`
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, err
	}
	t := &fileTokenizer{name: name, kept: map[string]int32{}}
	var err error
	if t.normalize, err = readNormalizer(file.Normalizer); err != nil {
		return nil, err
	}
	if t.split, err = readPreTokenizer(file.PreTokenizer); err != nil {
		return nil, err
	}
	if t.model, err = readModel(file.Model); err != nil {
		return nil, err
	}
	if t.around, err = readPostProcessor(file.PostProcessor); err != nil {
		return nil, err
	}
	for _, a := range file.AddedTokens {
		t.added.add(a.Content)
	}
	if dividesAtBlanks(file.PreTokenizer) {
		return dividing{t}, nil
	}
	return t, nil
}

// fileTokenizer counts as a tokenizer.json says.
type fileTokenizer struct {
	name      string
	added     addedTokens
	normalize func(string) string
	split     func([]string) []string
	model     model
	around    int // tokens that the model puts around every text
	kept      map[string]int32
}

// model counts the tokens of one piece.
type model interface{ count(piece string) int }

func (t *fileTokenizer) Name() string { return t.name }

func (t *fileTokenizer) Count(text string) int {
	n := t.around
	for text != "" {
		plain, token := t.added.next(text)
		n += t.plain(plain)
		if token > 0 {
			n++
		}
		text = text[len(plain)+token:]
	}
	return n
}

func (t *fileTokenizer) plain(text string) int {
	if text == "" {
		return 0
	}
	n := 0
	for _, piece := range t.split([]string{t.normalize(text)}) {
		if piece == "" {
			continue
		}
		if k, ok := t.kept[piece]; ok {
			n += int(k)
			continue
		}
		k := t.model.count(piece)
		if len(piece) <= maxKeptLength {
			if len(t.kept) >= maxKept {
				clear(t.kept)
			}
			t.kept[piece] = int32(k)
		}
		n += k
	}
	return n
}

// dividing is a tokenizer whose pieces never go over the blank before a word.
type dividing struct{ *fileTokenizer }

// Additive holds before a single blank between letters or digits.
func (d dividing) Additive(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	return at+1 < len(text) && text[at] == ' ' && isASCIIWord(text[at-1]) && isASCIIWord(text[at+1])
}

func isASCIIWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// addedTokens are texts that are one token wherever they stand, such as "<s>".
type addedTokens struct {
	byFirst map[byte][]string
}

func (a *addedTokens) add(content string) {
	if content == "" {
		return
	}
	if a.byFirst == nil {
		a.byFirst = map[byte][]string{}
	}
	a.byFirst[content[0]] = append(a.byFirst[content[0]], content)
}

// next gives the text up to the first added token, and the length of that token, 0 when there is none.
func (a *addedTokens) next(text string) (plain string, token int) {
	if len(a.byFirst) == 0 {
		return text, 0
	}
	for i := 0; i < len(text); i++ {
		for _, content := range a.byFirst[text[i]] {
			if len(content) > token && len(text)-i >= len(content) && text[i:i+len(content)] == content {
				token = len(content)
			}
		}
		if token > 0 {
			return text[:i], token
		}
	}
	return text, 0
}

// readPostProcessor gives how many tokens stand around a single text.
func readPostProcessor(raw json.RawMessage) (int, error) {
	var p struct {
		Type       string            `json:"type"`
		Processors []json.RawMessage `json:"processors"`
		Single     []map[string]any  `json:"single"`
	}
	if isNull(raw) {
		return 0, nil
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return 0, fmt.Errorf("post_processor: %w", err)
	}
	switch p.Type {
	case "ByteLevel":
		return 0, nil
	case "BertProcessing", "RobertaProcessing":
		return 2, nil
	case "TemplateProcessing":
		n := 0
		for _, part := range p.Single {
			if _, ok := part["SpecialToken"]; ok {
				n++
			}
		}
		return n, nil
	case "Sequence":
		n := 0
		for _, inner := range p.Processors {
			k, err := readPostProcessor(inner)
			if err != nil {
				return 0, err
			}
			n += k
		}
		return n, nil
	}
	return 0, fmt.Errorf("post_processor %q is not known", p.Type)
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
