package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// maxPlainDigits bounds how long a whole number is shown digit by digit.
const maxPlainDigits = 21

// General shows a number in the General format. raw is the number as the file has it: a whole number is shown with all its digits,
// anything else with up to 15 significant ones, which is all that a spreadsheet keeps.
func General(v float64, raw string) string {
	if raw != "" && len(raw) <= maxPlainDigits && isWhole(raw) {
		return raw
	}
	if !finite(v) {
		return raw
	}
	if v == 0 {
		return "0"
	}
	magnitude := math.Abs(v)
	if magnitude >= 1e-5 && magnitude < 1e21 {
		text := strconv.FormatFloat(v, 'g', 15, 64)
		if strings.ContainsAny(text, "e") {
			rounded, _ := strconv.ParseFloat(text, 64)
			text = strconv.FormatFloat(rounded, 'f', -1, 64)
		}
		return text
	}
	return strconv.FormatFloat(v, 'G', 15, 64)
}

// isWhole tells whether raw is a plain whole number without a needless zero in front.
func isWhole(raw string) bool {
	digits := strings.TrimPrefix(raw, "-")
	if digits == "" || len(digits) > 1 && digits[0] == '0' || raw == "-0" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}
