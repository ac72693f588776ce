package pdf

import (
	"strings"

	"decant/handler/internal/pdfium"
)

// fontName is a base font name without its subset prefix ("ABCDEF+", ISO 32000-2, 9.9.2).
func fontName(name string) string {
	if len(name) > 7 && name[6] == '+' {
		return name[7:]
	}
	return name
}

// boldWords and their like are looked for in font names, because the base 14 fonts and many subsets report no weight.
var (
	boldWords   = []string{"bold", "black", "heavy", "semibold", "demi"}
	italicWords = []string{"italic", "oblique"}
	monoWords   = []string{"courier", "mono", "consol", "menlo", "typewriter", "cmtt", "lettergothic"}
)

// lightWords in a name outweigh the weight that PDFium gives, which it guesses from the width of stems.
var lightWords = []string{"regular", "roman", "book", "light", "medium", "normal", "thin"}

func isBold(f pdfium.Font) bool {
	name := strings.ToLower(fontName(f.Name))
	if hasAny(name, lightWords) && !hasAny(name, boldWords) && !strings.HasSuffix(name, "-medi") {
		return false
	}
	return f.Weight >= 700 || hasAny(name, boldWords) || strings.HasPrefix(name, "cmbx") || strings.HasSuffix(name, "-bd") || strings.HasSuffix(name, "-medi") || strings.HasSuffix(name, "-medii") || strings.HasSuffix(name, ",bd")
}

func isItalic(f pdfium.Font) bool {
	name := strings.ToLower(fontName(f.Name))
	return f.Italic || hasAny(name, italicWords) || strings.HasPrefix(name, "cmti") || strings.HasSuffix(name, "-it")
}

func isMono(name string) bool { return hasAny(strings.ToLower(name), monoWords) }

func hasAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
