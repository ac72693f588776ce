package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// scientific writes 0.00E+00. With more than one place before the point the exponent is a multiple of their number (##0.0E+0).
func (s *section) scientific(v float64, lay layout) string {
	step := max(1, len(lay.whole))
	power := 0
	if v != 0 {
		power = int(math.Floor(math.Log10(v)))
		power = int(math.Floor(float64(power)/float64(step))) * step
	}
	whole, decimals := roundTo(scale10(v, -power), len(lay.decimals))
	if len(whole) > step { // rounding made one digit more
		power += step
		whole, decimals = roundTo(scale10(v, -power), len(lay.decimals))
	}
	sign := ""
	switch {
	case power < 0:
		sign = "-"
	case s.hasPlusExponent():
		sign = "+"
	}
	digits := strconv.Itoa(max(power, -power))
	if missing := len(lay.exponents) - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	var b strings.Builder
	s.write(&b, lay, whole, decimals, sign+digits)
	return b.String()
}

// scale10 is v times a power of ten, exact in the digits that are kept.
func scale10(v float64, power int) float64 {
	scaled, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64)
	text := strconv.FormatFloat(scaled, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	n, _ := strconv.Atoi(exponent)
	out, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(n+power), 64)
	return out
}

func (s *section) hasPlusExponent() bool {
	for _, t := range s.tokens {
		if t.kind == exponent {
			return strings.HasSuffix(t.text, "+")
		}
	}
	return false
}
