package token

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

type patternFile struct {
	String string `json:"String"`
	Regex  string `json:"Regex"`
}

type preTokenizerFile struct {
	Type          string            `json:"type"`
	PreTokenizers []json.RawMessage `json:"pretokenizers"`
	Replacement   string            `json:"replacement"`
	PrependScheme string            `json:"prepend_scheme"`
	AddPrefix     *bool             `json:"add_prefix_space"`
	Split         *bool             `json:"split"`
	UseRegex      *bool             `json:"use_regex"`
	Individual    bool              `json:"individual_digits"`
	Behavior      string            `json:"behavior"`
	Pattern       patternFile       `json:"pattern"`
	Invert        bool              `json:"invert"`
	Delimiter     string            `json:"delimiter"`
}

// readPreTokenizer reads the part of a tokenizer.json that cuts a text into pieces.
func readPreTokenizer(raw json.RawMessage) (func([]string) []string, error) {
	if isNull(raw) {
		return func(pieces []string) []string { return pieces }, nil
	}
	var p preTokenizerFile
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	switch p.Type {
	case "Sequence":
		var steps []func([]string) []string
		for _, inner := range p.PreTokenizers {
			step, err := readPreTokenizer(inner)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step)
		}
		return func(pieces []string) []string {
			for _, step := range steps {
				pieces = step(pieces)
			}
			return pieces
		}, nil
	case "Metaspace":
		return p.metaspace, nil
	case "ByteLevel":
		return p.byteLevel, nil
	case "Split":
		return p.pattern()
	}
	cut, ok := cutters[p.Type]
	if !ok {
		return nil, fmt.Errorf("pre_tokenizer %q is not known", p.Type)
	}
	return func(pieces []string) []string {
		var out []string
		for _, piece := range pieces {
			out = cut(p, piece, out)
		}
		return out
	}, nil
}

// cutters cut one piece and add the parts to a list.
var cutters = map[string]func(p preTokenizerFile, piece string, out []string) []string{
	"WhitespaceSplit": func(_ preTokenizerFile, piece string, out []string) []string {
		return append(out, strings.Fields(piece)...)
	},
	"Whitespace": func(_ preTokenizerFile, piece string, out []string) []string {
		return runs(piece, out, func(r rune) int {
			switch {
			case isSpace(r):
				return 0
			case unicode.IsLetter(r), unicode.Is(unicode.M, r), unicode.Is(unicode.Nd, r), unicode.Is(unicode.Nl, r), unicode.Is(unicode.Pc, r), r == 0x200C, r == 0x200D:
				return 1
			}
			return 2
		})
	},
	"BertPreTokenizer": func(_ preTokenizerFile, piece string, out []string) []string {
		return runs(piece, out, func(r rune) int {
			switch {
			case isSpace(r):
				return 0
			case isBertPunct(r):
				return -1
			}
			return 1
		})
	},
	"Digits": func(p preTokenizerFile, piece string, out []string) []string {
		return runs(piece, out, func(r rune) int {
			if !unicode.Is(unicode.N, r) {
				return 1
			}
			if p.Individual {
				return -1
			}
			return 2
		})
	},
	"Punctuation": func(_ preTokenizerFile, piece string, out []string) []string {
		return runs(piece, out, func(r rune) int {
			if isBertPunct(r) {
				return -1
			}
			return 1
		})
	},
	"CharDelimiterSplit": func(p preTokenizerFile, piece string, out []string) []string {
		return append(out, strings.Split(piece, p.Delimiter)...)
	},
}

// runs cuts a text into runs of characters of the same kind; kind 0 is dropped, kind -1 stands alone.
func runs(text string, out []string, kind func(rune) int) []string {
	start, last := 0, 0
	for i, r := range text {
		k := kind(r)
		if k != last || k == -1 {
			if start < i && last != 0 {
				out = append(out, text[start:i])
			}
			start = i
		}
		last = k
	}
	if start < len(text) && last != 0 {
		out = append(out, text[start:])
	}
	return out
}

func isBertPunct(r rune) bool {
	return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~' || unicode.Is(unicode.P, r)
}

// metaspace writes blanks as "▁" and cuts before each.
func (p preTokenizerFile) metaspace(pieces []string) []string {
	mark := p.Replacement
	if mark == "" {
		mark = "▁"
	}
	scheme := p.PrependScheme
	if scheme == "" {
		scheme = "always"
		if p.AddPrefix != nil && !*p.AddPrefix {
			scheme = "never"
		}
	}
	var out []string
	for i, piece := range pieces {
		piece = strings.ReplaceAll(piece, " ", mark)
		if (scheme == "always" || scheme == "first" && i == 0) && !strings.HasPrefix(piece, mark) {
			piece = mark + piece
		}
		if p.Split != nil && !*p.Split {
			out = append(out, piece)
			continue
		}
		for piece != "" {
			next := strings.Index(piece[min(len(piece), len(mark)):], mark)
			if next < 0 {
				out = append(out, piece)
				break
			}
			out = append(out, piece[:next+min(len(piece), len(mark))])
			piece = piece[next+min(len(piece), len(mark)):]
		}
	}
	return out
}

// byteLevel cuts as GPT-2 does, and writes every byte as a printable character.
func (p preTokenizerFile) byteLevel(pieces []string) []string {
	classes := newClasses()
	var out []string
	for _, piece := range pieces {
		if (p.AddPrefix == nil || *p.AddPrefix) && !strings.HasPrefix(piece, " ") {
			piece = " " + piece
		}
		if p.UseRegex != nil && !*p.UseRegex {
			out = append(out, byteLevel(piece))
			continue
		}
		for piece != "" {
			n := gpt2Piece(classes, piece)
			out = append(out, byteLevel(piece[:n]))
			piece = piece[n:]
		}
	}
	return out
}

// gpt2Piece cuts as the pattern of GPT-2 does:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func gpt2Piece(c *classes, text string) int {
	if n := contraction(text); n > 0 && text[1] >= 'a' && text[n-1] >= 'a' {
		return n
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	for _, want := range []class{letter, number} {
		if n := runOf(c, text[start:], want); n > 0 {
			return start + n
		}
	}
	if n := otherRun(c, text[start:]); n > 0 {
		return start + n
	}
	n, last := 0, 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if c.of(r)&space == 0 {
			break
		}
		last = n
		n += size
	}
	if n < len(text) && last > 0 {
		return last
	}
	return n
}

// byteChars are the printable characters that stand for the bytes (GPT-2's bytes_to_unicode).
var byteChars = func() (chars [256]string) {
	next := rune(256)
	for b := range 256 {
		r := rune(b)
		if !(b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE) {
			r = next
			next++
		}
		chars[b] = string(r)
	}
	return chars
}()

func byteLevel(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteString(byteChars[s[i]])
	}
	return b.String()
}

func compile(pattern string) (*regexp2.Regexp, error) {
	re, err := regexp2.Compile(pattern, regexp2.Unicode)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return re, nil
}

// pattern cuts where a pattern matches, and treats the matches as Behavior says.
func (p preTokenizerFile) pattern() (func([]string) []string, error) {
	pattern := p.Pattern.Regex
	if pattern == "" {
		pattern = regexp2.Escape(p.Pattern.String)
	}
	re, err := compile(pattern)
	if err != nil {
		return nil, err
	}
	switch p.Behavior {
	case "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous":
	default:
		return nil, fmt.Errorf("split behavior %q is not known", p.Behavior)
	}
	return func(pieces []string) []string {
		var out []string
		for _, piece := range pieces {
			out = p.cut(re, piece, out)
		}
		return out
	}, nil
}

func (p preTokenizerFile) cut(re *regexp2.Regexp, piece string, out []string) []string {
	parts := matches(re, piece)
	carry := ""
	wasMatch := false
	for _, part := range parts {
		isMatch := part.match != p.Invert
		switch {
		case isMatch && p.Behavior == "Removed":
		case isMatch && p.Behavior == "MergedWithPrevious" && len(out) > 0 && !wasMatch:
			out[len(out)-1] += part.text
		case isMatch && p.Behavior == "MergedWithNext":
			if carry != "" {
				out = append(out, carry)
			}
			carry = part.text
		case isMatch && p.Behavior == "Contiguous" && wasMatch:
			out[len(out)-1] += part.text
		default:
			out = append(out, carry+part.text)
			carry = ""
		}
		wasMatch = isMatch
	}
	if carry != "" {
		out = append(out, carry)
	}
	return out
}

type matchPart struct {
	text  string
	match bool
}

// matches cuts a text into what matches and what does not.
func matches(re *regexp2.Regexp, text string) []matchPart {
	var parts []matchPart
	found, err := re.FindAllStringIndex(text, -1)
	if err != nil {
		return []matchPart{{text, false}}
	}
	at := 0
	for _, m := range found {
		if m[0] == m[1] {
			continue
		}
		if m[0] > at {
			parts = append(parts, matchPart{text[at:m[0]], false})
		}
		parts = append(parts, matchPart{text[m[0]:m[1]], true})
		at = m[1]
	}
	if at < len(text) {
		parts = append(parts, matchPart{text[at:], false})
	}
	return parts
}

// dividesAtBlanks tells whether no piece goes over the blank before a word, so that texts can be counted in parts.
func dividesAtBlanks(raw json.RawMessage) bool {
	var p preTokenizerFile
	if isNull(raw) || json.Unmarshal(raw, &p) != nil {
		return false
	}
	switch p.Type {
	case "BertPreTokenizer", "Whitespace", "WhitespaceSplit":
		return true
	case "Metaspace":
		return p.Split == nil || *p.Split
	case "ByteLevel":
		return p.UseRegex == nil || *p.UseRegex
	case "Sequence":
		return len(p.PreTokenizers) > 0 && dividesAtBlanks(p.PreTokenizers[0])
	}
	return false
}
