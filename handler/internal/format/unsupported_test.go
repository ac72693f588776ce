package format_test

import (
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

func TestUnsupportedNamesTheExtensionOnlyWhenItIsUnknown(t *testing.T) {
	formats := []format.Format{{Name: "text", Extensions: []string{".txt"}, Match: func(*format.Head) int { return 0 }}}
	for name, says := range map[string]string{
		"zeros.txt":  "its content is of no known kind",
		"zeros.blob": "neither its content nor the extension .blob is of a known kind",
		"zeros":      "its content is of no known kind",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := format.Detect(formats, &format.Head{Name: name})
			if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), ": "+says) {
				t.Errorf("got %v, want %q", err, says)
			}
		})
	}
}
