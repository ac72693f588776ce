package charset

import "strings"

// SymbolFont gives the characters that a symbol font shows for its codes, or nil for a font with letters.
func SymbolFont(font string) map[rune]rune {
	switch strings.ToLower(font) {
	case "symbol":
		return symbolChars
	case "wingdings":
		return wingdings
	case "wingdings 2":
		return wingdings2
	case "wingdings 3", "webdings":
		return noChars
	}
	return nil
}

// MapSymbols replaces codes of a symbol font; Word stores them at U+F000 and up. Codes that are not known stay as they are.
func MapSymbols(text string, chars map[rune]rune) string {
	if chars == nil {
		return text
	}
	return strings.Map(func(r rune) rune {
		code := r
		if code >= 0xF000 && code <= 0xF0FF {
			code -= 0xF000
		}
		if mapped, ok := chars[code]; ok {
			return mapped
		}
		return r
	}, text)
}

var noChars = map[rune]rune{}

// symbolChars is the encoding of Adobe's Symbol font.
var symbolChars = codes(
	0x22, "∀#∃%&∋()∗+,−./", 0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
	0xA0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪", 0xF1, "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)

// wingdings are the codes of Wingdings that stand in documents: bullets, boxes, arrows, signs.
var wingdings = map[rune]rune{
	0x21: '🖉', 0x22: '✂', 0x28: '☎', 0x2A: '✉', 0x36: '⌛', 0x45: '☜', 0x46: '☞', 0x47: '☝', 0x48: '☟', 0x4A: '☺', 0x4B: '😐', 0x4C: '☹',
	0x4E: '☠', 0x51: '✈', 0x52: '☼', 0x54: '❄', 0x58: '✠', 0x59: '✡', 0x5A: '☪', 0x6C: '●', 0x6D: '❍', 0x6E: '■', 0x6F: '□', 0x70: '□',
	0x71: '❑', 0x72: '❒', 0x73: '⬧', 0x74: '⧫', 0x75: '◆', 0x76: '❖', 0x77: '⬥', 0x78: '☒', 0x7B: '❀', 0x80: '⓪', 0x81: '①', 0x82: '②', 0x83: '③',
	0x84: '④', 0x85: '⑤', 0x86: '⑥', 0x87: '⑦', 0x88: '⑧', 0x89: '⑨', 0x8A: '⑩', 0x9E: '·', 0x9F: '•', 0xA0: '▪', 0xA1: '○', 0xA4: '◉', 0xA5: '◎',
	0xA7: '▪', 0xA8: '☐', 0xAB: '★', 0xAC: '✶', 0xB2: '⟡', 0xD5: '⌫', 0xD8: '➢', 0xDC: '➲', 0xDF: '←', 0xE0: '→', 0xE1: '↑', 0xE2: '↓', 0xE3: '↖',
	0xE4: '↗', 0xE5: '↙', 0xE6: '↘', 0xE7: '←', 0xE8: '→', 0xE9: '↑', 0xEA: '↓', 0xEF: '⇦', 0xF0: '⇨', 0xF1: '⇧', 0xF2: '⇩', 0xF3: '⬄', 0xF4: '⇳',
	0xFB: '✗', 0xFC: '✓', 0xFD: '☒', 0xFE: '☑',
}

var wingdings2 = map[rune]rune{
	0x4F: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x54: '☒', 0x97: '●', 0xA2: '■', 0xA3: '□', 0x2A: '☐', 0x98: '•', 0x99: '○',
}

// codes makes a map of pieces: a first code, then the characters of it and those after it.
func codes(pieces ...any) map[rune]rune {
	chars := map[rune]rune{}
	code := 0
	for _, piece := range pieces {
		switch piece := piece.(type) {
		case int:
			code = piece
		case string:
			for _, r := range piece {
				chars[rune(code)] = r
				code++
			}
		}
	}
	return chars
}
