package xmltree

import "decant/handler/internal/doc"

// Warn tells in the document what was repaired in one of its parts.
func (d Damage) Warn(document *doc.Document, part string) {
	place := doc.Place{Part: part}
	if d.Truncated {
		document.Warn("truncated", "A part of the file ends early; what was there was read.", place)
	}
	if d.Nesting || d.Entities {
		document.Warn("repaired", "XML that is not well formed was repaired.", place)
	}
	if d.Invalid {
		document.Warn("invalid_characters", "Bytes that are not text in the declared encoding were replaced.", place)
	}
	if d.Flattened {
		document.Warn("nesting_flattened", "Elements nested deeper than the limit were dissolved; their text was kept.", place)
	}
}
