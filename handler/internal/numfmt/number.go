package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// layout is what a number section asks for, counted once.
type layout struct {
	whole, decimals, exponents []token // digit tokens before the point, after it, after the E
	grouped                    bool
	scale                      float64 // divide by this: 1000 for each comma that ends the digits
	percents                   int
	hasDigits, hasExponent     bool
	isFraction                 bool
}

// number writes a value by the section. signed says that a minus sign belongs in front.
func (s *section) number(v float64, raw string, signed bool) string {
	v = math.Abs(v)
	lay := s.layout()
	var text string
	switch {
	case !finite(v):
		return raw
	case !lay.hasDigits:
		text = s.withText(General(v, strings.TrimPrefix(raw, "-")))
		if !s.has(general) && !s.has(at) {
			signed = false // a section of words only: the sign would be left alone
		}
	case lay.isFraction:
		text = s.fraction(v, lay)
	case lay.hasExponent:
		text = s.scientific(v, lay)
	default:
		text = s.decimal(v, lay)
	}
	text = strings.TrimSpace(text)
	if signed && strings.ContainsAny(text, "123456789") {
		return "-" + text
	}
	return text
}

// layout counts a section's digits and finds what commas mean.
func (s *section) layout() layout {
	lay := layout{scale: 1}
	afterPoint, last := false, s.lastDigit()
	for i, t := range s.tokens {
		switch {
		case t.kind == digit && lay.hasExponent:
			lay.exponents = append(lay.exponents, t)
		case t.kind == digit && afterPoint:
			lay.decimals = append(lay.decimals, t)
		case t.kind == digit:
			lay.whole = append(lay.whole, t)
		case t.kind == point:
			afterPoint = true
		case t.kind == group && s.endsDigits(i, last):
			lay.scale *= 1000
		case t.kind == group && len(lay.whole) > 0 && !afterPoint:
			lay.grouped = true
		case t.kind == percent:
			lay.percents++
		case t.kind == exponent:
			lay.hasExponent = true
		case t.kind == slash && len(lay.whole) > 0:
			lay.isFraction = true
		}
	}
	lay.hasDigits = last >= 0
	return lay
}

func (s *section) lastDigit() int {
	for i := len(s.tokens) - 1; i >= 0; i-- {
		if s.tokens[i].kind == digit {
			return i
		}
	}
	return -1
}

// endsDigits tells whether a comma scales: it follows the last digit, or stands just before the point.
func (s *section) endsDigits(i, last int) bool {
	if i > last {
		return last >= 0
	}
	for i++; i < len(s.tokens) && s.tokens[i].kind == group; i++ {
	}
	return i < len(s.tokens) && s.tokens[i].kind == point
}

// decimal writes 0, #,##0.00, 0.0% and formats with literals between the digits.
func (s *section) decimal(v float64, lay layout) string {
	v = v / lay.scale * math.Pow(100, float64(min(lay.percents, 4)))
	whole, decimals := roundTo(v, len(lay.decimals))
	var b strings.Builder
	s.write(&b, lay, whole, decimals, "")
	return b.String()
}

// roundTo rounds half away from zero at the given decimals, on the 15 digits that a spreadsheet keeps, and gives both halves as digits.
func roundTo(v float64, places int) (whole, decimals string) {
	text := strconv.FormatFloat(v, 'e', 14, 64)
	kept, _ := strconv.ParseFloat(text, 64)
	exact := strconv.FormatFloat(kept, 'f', -1, 64)
	whole, decimals, _ = strings.Cut(exact, ".")
	if len(decimals) <= places {
		return whole, decimals + strings.Repeat("0", places-len(decimals))
	}
	up := decimals[places] >= '5'
	digits := []byte(whole + decimals[:places])
	for i := len(digits) - 1; up && i >= 0; i-- {
		if digits[i] == '9' {
			digits[i] = '0'
			continue
		}
		digits[i]++
		up = false
	}
	if up {
		digits = append([]byte{'1'}, digits...)
	}
	cut := len(digits) - places
	return string(digits[:cut]), string(digits[cut:])
}

// write walks the tokens and puts digits into their places; power is the exponent's digits with its sign.
func (s *section) write(b *strings.Builder, lay layout, whole, decimals, power string) {
	whole = strings.TrimLeft(whole, "0")
	padded := padWhole(whole, lay)
	wholeSeen, decimalSeen := 0, 0
	inExponent := false
	for _, t := range s.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case percent:
			b.WriteByte('%')
		case general, at:
		case exponent:
			inExponent = true
			b.WriteString("E" + power)
		case point:
			if wholeSeen == 0 && len(lay.whole) == 0 {
				b.WriteString(whole)
			}
			b.WriteByte('.')
		case digit:
			switch {
			case inExponent: // written with the E
			case wholeSeen < len(lay.whole):
				b.WriteString(padded[wholeSeen])
				wholeSeen++
			case decimalSeen < len(decimals):
				writeDecimal(b, lay, decimals, decimalSeen)
				decimalSeen++
			}
		}
	}
}

// padWhole spreads the digits of the whole part over its places; the first place takes what is too much.
func padWhole(whole string, lay layout) []string {
	places := len(lay.whole)
	out := make([]string, places)
	for i := range places {
		fromRight := places - i // this place is the fromRight-th digit from the right
		var piece string
		switch {
		case i == 0 && len(whole) >= fromRight:
			piece = whole[:len(whole)-fromRight+1]
		case len(whole) >= fromRight:
			piece = whole[len(whole)-fromRight : len(whole)-fromRight+1]
		default:
			piece = map[string]string{"0": "0", "?": " "}[lay.whole[i].text]
		}
		if lay.grouped {
			piece = groupPiece(piece, fromRight)
		}
		out[i] = piece
	}
	return out
}

// groupPiece puts a comma after each digit that has a multiple of three digits to its right; the piece ends at the fromRight-th digit.
func groupPiece(piece string, fromRight int) string {
	var b strings.Builder
	for i := range len(piece) {
		b.WriteByte(piece[i])
		right := fromRight - 1 + len(piece) - 1 - i
		if right > 0 && right%3 == 0 && piece[i] != ' ' {
			b.WriteByte(',')
		}
	}
	return b.String()
}

// writeDecimal writes one decimal: # drops zeros at the end, ? makes them spaces.
func writeDecimal(b *strings.Builder, lay layout, decimals string, i int) {
	if strings.Trim(decimals[i:], "0") != "" || lay.decimals[i].text == "0" || laterZero(lay.decimals[i:]) {
		b.WriteByte(decimals[i])
		return
	}
	if lay.decimals[i].text == "?" {
		b.WriteByte(' ')
	}
}

func laterZero(tokens []token) bool {
	for _, t := range tokens {
		if t.text == "0" {
			return true
		}
	}
	return false
}
