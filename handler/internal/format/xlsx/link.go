package xlsx

import "strings"

// unsafeSchemes run a script instead of going somewhere.
var unsafeSchemes = []string{"javascript:", "vbscript:", "data:"}

// safeLink tells whether a link's target is harmless.
func safeLink(target string) bool {
	lower := strings.ToLower(strings.TrimSpace(target))
	for _, scheme := range unsafeSchemes {
		if strings.HasPrefix(lower, scheme) {
			return false
		}
	}
	return true
}
