package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// fraction writes "# ?/?", "# ??/??" and "# ?/8". Without a place for the whole part the fraction is improper.
func (s *section) fraction(v float64, lay layout) string {
	numeratorAt, denominator := s.fractionParts()
	mixed := s.wholePlaces(numeratorAt) > 0
	whole, rest := 0.0, v
	if mixed {
		whole, rest = math.Modf(v)
	}
	var n, d int
	if denominator.fixed > 0 {
		d = denominator.fixed
		n = int(math.Round(rest * float64(d)))
	} else {
		n, d = approximate(rest, denominator.limit)
	}
	if mixed && n == d {
		whole, n = whole+1, 0
	}
	return writeFraction(whole, n, d, mixed)
}

func writeFraction(whole float64, n, d int, mixed bool) string {
	wholeText := strconv.FormatFloat(whole, 'f', 0, 64)
	part := strconv.Itoa(n) + "/" + strconv.Itoa(d)
	switch {
	case !mixed:
		return part
	case n == 0:
		return wholeText
	case whole == 0:
		return part
	}
	return wholeText + " " + part
}

// denominator is either fixed or bounded by its number of places.
type denominator struct{ fixed, limit int }

// fractionParts finds where the numerator begins and what the denominator may be.
func (s *section) fractionParts() (numeratorAt int, d denominator) {
	at := 0
	for i, t := range s.tokens {
		if t.kind == slash {
			at = i
			break
		}
	}
	numeratorAt = at
	for numeratorAt > 0 && s.tokens[numeratorAt-1].kind == digit {
		numeratorAt--
	}
	places, fixed := 0, ""
	for _, t := range s.tokens[at+1:] {
		if t.kind == digit && t.text != "0" {
			places++
		} else if t.kind == digit || t.kind == literal && strings.Trim(t.text, "0123456789") == "" {
			fixed += t.text
		} else {
			break
		}
	}
	if n, err := strconv.Atoi(fixed); err == nil && n > 0 && n < 1_000_000 && places == 0 {
		return numeratorAt, denominator{fixed: n}
	}
	places = min(max(places, len(fixed), 1), 4)
	return numeratorAt, denominator{limit: int(math.Pow10(places)) - 1}
}

// wholePlaces counts the digits before the numerator.
func (s *section) wholePlaces(numeratorAt int) int {
	n := 0
	for _, t := range s.tokens[:numeratorAt] {
		if t.kind == digit {
			n++
		}
	}
	return n
}

// approximate is the fraction nearest to v whose denominator is at most limit.
func approximate(v float64, limit int) (n, d int) {
	best, bestN, bestD := math.Inf(1), 0, 1
	for d := 1; d <= limit; d++ {
		n := math.Round(v * float64(d))
		if off := math.Abs(v - n/float64(d)); off < best-1e-12 {
			best, bestN, bestD = off, int(math.Min(n, 1e15)), d
		}
	}
	return bestN, bestD
}
