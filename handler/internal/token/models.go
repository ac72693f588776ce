package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

type modelFile struct {
	Type         string          `json:"type"`
	Vocab        json.RawMessage `json:"vocab"`
	Merges       json.RawMessage `json:"merges"`
	Unknown      string          `json:"unk_token"`
	UnknownID    *int            `json:"unk_id"`
	Prefix       *string         `json:"continuing_subword_prefix"`
	Suffix       *string         `json:"end_of_word_suffix"`
	FuseUnknown  bool            `json:"fuse_unk"`
	ByteFallback bool            `json:"byte_fallback"`
	IgnoreMerges bool            `json:"ignore_merges"`
	MaxChars     int             `json:"max_input_chars_per_word"`
}

// readModel reads the model of a tokenizer.json. Old files have no type: merges mean BPE, a list of pairs Unigram.
func readModel(raw json.RawMessage) (model, error) {
	var f modelFile
	if isNull(raw) {
		return nil, errors.New("there is no model")
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if f.Type == "" {
		switch {
		case !isNull(f.Merges):
			f.Type = "BPE"
		case len(f.Vocab) > 0 && f.Vocab[0] == '[':
			f.Type = "Unigram"
		default:
			f.Type = "WordPiece"
		}
	}
	switch f.Type {
	case "BPE":
		return readPairs(&f)
	case "WordPiece":
		return readWordPiece(&f)
	case "Unigram":
		return readUnigram(&f)
	case "WordLevel":
		vocab, err := f.words()
		return wordLevel(vocab), err
	}
	return nil, fmt.Errorf("model %q is not known", f.Type)
}

func (f *modelFile) words() (map[string]int32, error) {
	vocab := map[string]int32{}
	if err := json.Unmarshal(f.Vocab, &vocab); err != nil {
		return nil, fmt.Errorf("vocab: %w", err)
	}
	return vocab, nil
}

// wordLevel has a token for each word; unknown words are one token as well.
type wordLevel map[string]int32

func (wordLevel) count(string) int { return 1 }

// wordPiece takes the longest token again and again. A word that cannot be made of tokens is one unknown token.
type wordPiece struct {
	vocab    map[string]int32
	prefix   string
	maxChars int
	longest  int
}

func readWordPiece(f *modelFile) (model, error) {
	vocab, err := f.words()
	if err != nil {
		return nil, err
	}
	m := &wordPiece{vocab: vocab, prefix: "##", maxChars: f.MaxChars}
	if f.Prefix != nil {
		m.prefix = *f.Prefix
	}
	if m.maxChars == 0 {
		m.maxChars = 100
	}
	for word := range vocab {
		m.longest = max(m.longest, len(word))
	}
	return m, nil
}

func (m *wordPiece) count(word string) int {
	if utf8.RuneCountInString(word) > m.maxChars {
		return 1
	}
	n, prefix := 0, ""
	for word != "" {
		end := min(len(word), m.longest)
		for ; end > 0; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if _, ok := m.vocab[prefix+word[:end]]; ok {
				break
			}
		}
		if end <= 0 {
			return 1
		}
		word, prefix = word[end:], m.prefix
		n++
	}
	return n
}

// unigram takes the division into tokens with the best sum of scores (Viterbi). Unknown characters in a row are one token.
type unigram struct {
	scores       map[string]float64
	longest      int
	unknown      float64
	byteFallback bool
}

func readUnigram(f *modelFile) (model, error) {
	var pairs [][2]any
	if err := json.Unmarshal(f.Vocab, &pairs); err != nil {
		return nil, fmt.Errorf("vocab: %w", err)
	}
	m := &unigram{scores: make(map[string]float64, len(pairs)), byteFallback: f.ByteFallback}
	lowest := math.Inf(1)
	for i, pair := range pairs {
		piece, ok := pair[0].(string)
		score, isNumber := pair[1].(float64)
		if !ok || !isNumber {
			return nil, fmt.Errorf("vocab: entry %d is not a token and its score", i)
		}
		lowest = min(lowest, score)
		if f.UnknownID != nil && i == *f.UnknownID {
			continue
		}
		m.scores[piece] = score
		m.longest = max(m.longest, len(piece))
	}
	m.unknown = lowest - 10
	return m, nil
}

func (m *unigram) count(piece string) int {
	type state struct {
		score   float64
		from    int32
		unknown bool
	}
	best := make([]state, len(piece)+1)
	for i := range best {
		best[i].score = math.Inf(-1)
	}
	best[0].score = 0
	for i := 0; i < len(piece); {
		_, size := utf8.DecodeRuneInString(piece[i:])
		single := false
		for end := i + size; end <= len(piece) && end-i <= m.longest; {
			if score, ok := m.scores[piece[i:end]]; ok {
				single = single || end == i+size
				if s := best[i].score + score; s > best[end].score {
					best[end] = state{s, int32(i), false}
				}
			}
			if end == len(piece) {
				break
			}
			_, next := utf8.DecodeRuneInString(piece[end:])
			end += next
		}
		if s := best[i].score + m.unknown; !single && s > best[i+size].score {
			best[i+size] = state{s, int32(i), true}
		}
		i += size
	}
	n, wasUnknown := 0, false
	for i := len(piece); i > 0; i = int(best[i].from) {
		switch {
		case !best[i].unknown:
			n++
		case m.byteFallback && m.hasBytes(piece[best[i].from:i]):
			n += i - int(best[i].from)
		case !wasUnknown:
			n++
		}
		wasUnknown = best[i].unknown
	}
	return n
}

func (m *unigram) hasBytes(s string) bool {
	for i := 0; i < len(s); i++ {
		if _, ok := m.scores[byteToken(s[i])]; !ok {
			return false
		}
	}
	return true
}

func byteToken(b byte) string { return fmt.Sprintf("<0x%02X>", b) }

// readMerges reads merges, which are "a b" or ["a", "b"].
func readMerges(raw json.RawMessage) ([][2]string, error) {
	var pairs [][2]string
	if json.Unmarshal(raw, &pairs) == nil {
		return pairs, nil
	}
	var lines []string
	if err := json.Unmarshal(raw, &lines); err != nil {
		return nil, fmt.Errorf("merges: %w", err)
	}
	for _, line := range lines {
		a, b, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("merges: %q is not a pair", line)
		}
		pairs = append(pairs, [2]string{a, b})
	}
	return pairs, nil
}
