package token

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

type normalizerFile struct {
	Type        string            `json:"type"`
	Normalizers []json.RawMessage `json:"normalizers"`
	CleanText   bool              `json:"clean_text"`
	Chinese     bool              `json:"handle_chinese_chars"`
	StripAccent *bool             `json:"strip_accents"`
	Lowercase   bool              `json:"lowercase"`
	Left        bool              `json:"strip_left"`
	Right       bool              `json:"strip_right"`
	Prepend     string            `json:"prepend"`
	Pattern     patternFile       `json:"pattern"`
	Content     string            `json:"content"`
	Charsmap    []byte            `json:"precompiled_charsmap"`
}

// readNormalizer reads the part of a tokenizer.json that changes the text before it is cut.
func readNormalizer(raw json.RawMessage) (func(string) string, error) {
	same := func(s string) string { return s }
	if isNull(raw) {
		return same, nil
	}
	var n normalizerFile
	if err := json.Unmarshal(raw, &n); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	switch n.Type {
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Lowercase":
		return strings.ToLower, nil
	case "StripAccents":
		return stripMarks, nil
	case "Strip":
		return n.strip, nil
	case "Prepend":
		return func(s string) string {
			if s == "" {
				return s
			}
			return n.Prepend + s
		}, nil
	case "Replace":
		return n.replace()
	case "Precompiled":
		return readCharsmap(n.Charsmap)
	case "Nmt":
		return nmt, nil
	case "ByteLevel":
		return byteLevel, nil
	case "BertNormalizer":
		return n.bert, nil
	case "Sequence":
		return readSequence(n.Normalizers)
	}
	return nil, fmt.Errorf("normalizer %q is not known", n.Type)
}

func readSequence(list []json.RawMessage) (func(string) string, error) {
	var steps []func(string) string
	for _, raw := range list {
		step, err := readNormalizer(raw)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return func(s string) string {
		for _, step := range steps {
			s = step(s)
		}
		return s
	}, nil
}

func (n normalizerFile) strip(s string) string {
	if n.Left {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	if n.Right {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	return s
}

func (n normalizerFile) replace() (func(string) string, error) {
	if n.Pattern.Regex == "" {
		return strings.NewReplacer(n.Pattern.String, n.Content).Replace, nil
	}
	re, err := compile(n.Pattern.Regex)
	if err != nil {
		return nil, err
	}
	return func(s string) string {
		var b strings.Builder
		for _, part := range matches(re, s) {
			if part.match {
				b.WriteString(n.Content)
			} else {
				b.WriteString(part.text)
			}
		}
		return b.String()
	}, nil
}

// bert does what BERT's own tokenizer does first.
func (n normalizerFile) bert(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case n.CleanText && (r == 0 || r == 0xFFFD || isControl(r)):
		case n.CleanText && isSpace(r):
			b.WriteByte(' ')
		case n.Chinese && isHan(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	s = b.String()
	if n.StripAccent == nil && n.Lowercase || n.StripAccent != nil && *n.StripAccent {
		s = stripMarks(norm.NFD.String(s))
	}
	if n.Lowercase {
		s = strings.ToLower(s)
	}
	return s
}

func stripMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

func isControl(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isHan is BERT's idea of a Chinese character: blocks, not the script.
func isHan(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// nmt drops control characters and makes blanks of the others, as in neural machine translation.
func nmt(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 1 && r <= 8, r == 0xB, r >= 0xE && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
			return -1
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200B && r <= 0x200F, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xFEFF, r == 0xFFFD:
			return ' '
		}
		return r
	}, s)
}
