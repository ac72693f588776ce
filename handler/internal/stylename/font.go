package stylename

import "strings"

var monospaced = []string{
	"courier", "consolas", "monaco", "menlo", "lucida console", "lucida sans typewriter", "inconsolata", "fira code", "fira mono", "andale mono", "liberation mono",
	"dejavu sans mono", "bitstream vera sans mono", "nimbus mono", "source code", "cascadia", "roboto mono", "sf mono", "jetbrains mono", "noto sans mono", "ubuntu mono",
	"ibm plex mono", "letter gothic", "monospace", "cumberland",
}

// Monospaced tells whether a typeface of this name has letters of one width.
func Monospaced(font string) bool {
	font = strings.ToLower(strings.Trim(font, `'" `))
	for _, name := range monospaced {
		if strings.HasPrefix(font, name) {
			return true
		}
	}
	return false
}
