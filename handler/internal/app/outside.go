package app

import (
	"context"
	"fmt"
	"strings"

	"decant/handler/internal/child"
	"decant/handler/internal/config"
	"decant/handler/internal/doctor"
	"decant/handler/internal/format/all"
	"decant/handler/internal/outside"
)

// converters reads the settings of the outside converters.
func converters(c config.Config) ([]outside.Converter, error) {
	known := map[string]bool{}
	for _, f := range all.Formats(all.Options{}) {
		known[string(f.Name)] = !f.Outside
	}
	list, err := outside.Load(c.Converters, known)
	if err != nil {
		return nil, usage{err}
	}
	return list, nil
}

// findConverters gives the outside converters that are installed.
func findConverters(ctx context.Context, c config.Config) ([]outside.Found, error) {
	list, err := converters(c)
	if err != nil {
		return nil, err
	}
	cache, err := pdfCache(c)
	if err != nil {
		cache = ""
	}
	found, err := outside.Find(ctx, list, cache)
	if err != nil {
		return nil, usage{err}
	}
	return found, nil
}

// workVersion is the version of everything that has a part in a result: decant's own, and a word for its outside converters. Results of
// another one are not reused.
func workVersion(found []outside.Found) string {
	if digest := outside.Digest(found); digest != "" {
		return version + "+" + digest
	}
	return version
}

// converterChecks try the outside converters: whether their programs are there, and start in their cage.
func converterChecks(set config.Config) []doctor.Check {
	list, err := converters(set)
	if err != nil {
		return []doctor.Check{{Name: "converters", Run: func(context.Context) doctor.Finding {
			return doctor.Finding{Level: doctor.Failed, Text: err.Error(), Do: "Mend the file that DECANT_CONVERTERS names (docs/outside-converters.md)."}
		}}}
	}
	checks := make([]doctor.Check, len(list))
	for i, c := range list {
		checks[i] = doctor.Check{Name: "converter " + c.Name, Run: func(ctx context.Context) doctor.Finding { return tryConverter(ctx, set, c) }}
	}
	return checks
}

func tryConverter(ctx context.Context, set config.Config, c outside.Converter) doctor.Finding {
	found, err := outside.Find(ctx, []outside.Converter{c}, "")
	switch {
	case err != nil:
		return doctor.Finding{Level: doctor.Failed, Text: err.Error(), Do: "Install the program, or name its path in the file that DECANT_CONVERTERS names."}
	case len(found) == 0:
		return doctor.Finding{Level: doctor.Skipped, Text: c.Command[0] + " is not installed: " + strings.Join(c.Formats, ", ") + " are refused", Do: "Install LibreOffice if you have such files (docs/outside-converters.md)."}
	}
	text := fmt.Sprintf("%s (%s, %s mode): %s", found[0].Program, found[0].Says, c.Mode, strings.Join(append(append([]string{}, c.Formats...), c.Extensions...), ", "))
	locks, err := outside.Try(ctx, found[0], child.Sandbox(set.Sandbox))
	if err != nil {
		return doctor.Finding{Level: doctor.Failed, Text: text + ": " + err.Error(), Do: "The program does not start with the locks of its cage. Let it read what it needs with read, or see docs/outside-converters.md."}
	}
	return doctor.Finding{Level: doctor.OK, Text: text + "; locks: " + strings.Join(locks, ", ")}
}
