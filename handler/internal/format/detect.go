package format

import (
	"path"
	"slices"

	"decant/handler/internal/fault"
)

// Scores of detection. A Match function answers with one of these, or something between.
const (
	Certain   = 100 // the content cannot be anything else
	Structure = 75  // the content has this format's structure
	Plausible = 25  // the content could be this format
	Fallback  = 1   // readable as this when nothing else fits

	byName    = 30 // the name says so and the format has no Match
	nameBonus = 8  // the name agrees with the content
)

// Detection is the answer of Detect.
type Detection struct {
	Format Format
	Score  int
	// NameSays is the format that the file's extension stands for, when it is another one that decant knows.
	NameSays Name
}

// Detect finds the format of a file by its content first and its name last.
// A file that no format takes is a fault of kind Unsupported.
func Detect(formats []Format, h *Head) (Detection, error) {
	best := Detection{}
	for _, f := range formats {
		if score := score(f, h); score > best.Score {
			best = Detection{Format: f, Score: score}
		}
	}
	if best.Score == 0 {
		return Detection{}, unsupported(formats, h)
	}
	if !slices.Contains(best.Format.Extensions, path.Ext(h.Name)) {
		best.NameSays = formatOfName(formats, h)
	}
	return best, nil
}

func score(f Format, h *Head) int {
	named := slices.Contains(f.Extensions, path.Ext(h.Name))
	if f.Match == nil {
		if named {
			return byName
		}
		return 0
	}
	score := f.Match(h)
	if score > 0 && named {
		score += nameBonus
	}
	return score
}

func formatOfName(formats []Format, h *Head) Name {
	for _, f := range formats {
		if slices.Contains(f.Extensions, path.Ext(h.Name)) {
			return f.Name
		}
	}
	return ""
}

func unsupported(formats []Format, h *Head) error {
	what := "its content is of no known kind"
	if ext := path.Ext(h.Name); ext != "" && formatOfName(formats, h) == "" {
		what = "neither its content nor the extension " + ext + " is of a known kind"
	}
	return fault.Newf(fault.Unsupported, "This format is not supported: %s. Convert the file to a supported format; `decant formats` lists them.", what)
}
