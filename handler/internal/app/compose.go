package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"decant/handler/internal/child"
	"decant/handler/internal/config"
	"decant/handler/internal/convert"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
	"decant/handler/internal/pdfium"
)

// childSettings is what the parent tells every child; its environment is empty.
type childSettings struct {
	PDFCache string `json:"pdfCache"`
}

// childMain is the hidden subcommand: one capped process that converts what it is told to. It reads no settings and no environment.
func childMain() int {
	var converter *convert.Converter
	return child.Main(child.Program{
		Configure: func(text json.RawMessage) error {
			var settings childSettings
			if err := json.Unmarshal(text, &settings); err != nil {
				return fmt.Errorf("read the settings: %w", err)
			}
			converter = convert.New(all.Formats(all.Options{PDFCache: settings.PDFCache}), version)
			return nil
		},
		Convert: func(ctx context.Context, req job.Request) (job.Result, error) { return converter.Convert(ctx, req) },
	})
}

// pdfCache is the folder of the compiled PDF engine. It holds native code, so it is the user's own.
func pdfCache(c config.Config) (string, error) {
	if c.Cache != "" {
		return filepath.Abs(c.Cache)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return filepath.Abs(filepath.Join(c.Home, "cache"))
	}
	return filepath.Join(dir, "decant"), nil
}

// newRunner makes what starts capped children, with the PDF engine compiled beforehand: compiling takes more memory than a child has.
func newRunner(ctx context.Context, c config.Config) (*child.Runner, error) {
	cache, err := pdfCache(c)
	if err != nil {
		return nil, err
	}
	if err := pdfium.Warm(ctx, cache); err != nil {
		return nil, fmt.Errorf("compile the PDF engine into %s: %w", cache, err)
	}
	return child.New(child.Options{
		Sandbox:             child.Sandbox(c.Sandbox),
		ReadOnly:            []string{cache},
		Settings:            childSettings{PDFCache: cache},
		Memory:              c.Limits.Memory,
		DocumentsPerProcess: c.DocumentsPerProcess,
	}), nil
}
