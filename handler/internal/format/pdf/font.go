package pdf

import (
	"slices"
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

// namedFamilies are families whose bold faces say so in their names: the weight that PDFium guesses for a plain face is not believed.
var namedFamilies = []string{
	"arial", "helvetica", "times", "courier", "calibri", "cambria", "garamond", "agaramond", "georgia", "verdana", "tahoma", "trebuchet",
	"minion", "myriad", "palatino", "bookman", "century", "newcentury", "univers", "frutiger", "gill", "roboto", "opensans", "noto",
	"liberation", "dejavu", "lato", "segoe", "candara", "constantia", "corbel", "futura", "optima", "bembo", "sabon", "baskerville",
	"nimbus", "texgyre", "cmr", "cmss", "cmti", "cmsl", "cmcsc", "lmroman", "lmsans", "sfrm", "stix", "libertine", "linlibertine",
	"charter", "utopia", "sourcesans", "sourceserif", "ptsans", "ptserif", "avenir", "proxima", "montserrat", "merriweather",
}

// boldEnds are abbreviations of bold faces at the ends of names.
var boldEnds = []string{"-bd", ",bd", "-medi", "-medii", "-hv", "-blk", "-bdcn", "-bdit"}

func isBold(f pdfium.Font) bool {
	name := strings.ToLower(fontName(f.Name))
	if hasAny(name, lightWords) && !hasAny(name, boldWords) && !strings.HasSuffix(name, "-medi") {
		return false
	}
	if hasAny(name, boldWords) || strings.HasPrefix(name, "cmbx") || slices.ContainsFunc(boldEnds, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return true
	}
	return f.Weight >= 700 && !slices.ContainsFunc(namedFamilies, func(family string) bool { return strings.HasPrefix(name, family) })
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
