package app

import (
	"context"

	"decant/handler/internal/config"
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
