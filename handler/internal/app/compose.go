package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"decant/handler/internal/child"
	"decant/handler/internal/config"
	"decant/handler/internal/convert"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
	"decant/handler/internal/outside"
	"decant/handler/internal/pdfium"
	"decant/handler/internal/pool"
)

// childSettings is what the parent tells every child; its environment is empty.
type childSettings struct {
	PDFCache string      `json:"pdfCache"`
	Memory   int64       `json:"memory"`             // cap of a spare, bytes
	Precheck bool        `json:"precheck,omitempty"` // say what documents are, and convert none
	Routes   []job.Route `json:"routes,omitempty"`   // to outside converters
}

// childMain is the hidden subcommand: one capped process that converts what it is told to. It reads no settings and no environment.
// Two more of its kind belong to outside converters: the child that starts their programs, and the program on its way into its cage.
func childMain(args []string) int {
	switch {
	case len(args) > 0 && args[0] == outside.LaunchCommand:
		return child.Main(outside.Launch())
	case len(args) > 0 && args[0] == child.CageCommand:
		return child.MainCage(args[1:])
	}
	return child.Main(childProgram())
}

// childProgram is what a child does.
func childProgram() child.Program {
	var converter *convert.Converter
	var settings childSettings
	return child.Program{
		Configure: func(text json.RawMessage) error {
			if err := json.Unmarshal(text, &settings); err != nil {
				return fmt.Errorf("read the settings: %w", err)
			}
			converter = convert.New(all.Formats(all.Options{PDFCache: settings.PDFCache}), version)
			converter.HandOver(settings.Routes)
			return nil
		},
		Convert: func(ctx context.Context, req job.Request) (job.Result, error) {
			if settings.Precheck {
				return converter.Precheck(ctx, req)
			}
			return converter.Convert(ctx, req)
		},
		Warm: func() error { return converter.Warm(context.Background(), settings.Memory) },
	}
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

// warmCache compiles the PDF engine where it can be kept: in the user's cache folder, or, when that may not be written, in a
// folder of this user's own among the temporary files. A folder that DECANT_CACHE names is taken or refused.
func warmCache(ctx context.Context, c config.Config) (string, error) {
	cache, err := pdfCache(c)
	if err != nil {
		return "", err
	}
	if err = trusted(cache); err == nil {
		err = pdfium.Warm(ctx, cache)
	}
	if err == nil || ctx.Err() != nil {
		return cache, err
	}
	if c.Cache != "" {
		return "", usage{fmt.Errorf("the compiled PDF engine cannot be kept in DECANT_CACHE=%s; set it to a folder of your own that may be written: %w", c.Cache, err)}
	}
	cache = filepath.Join(os.TempDir(), fmt.Sprintf("decant-cache-%d", os.Geteuid()))
	if err = ownFolder(cache); err == nil {
		err = pdfium.Warm(ctx, cache)
	}
	if err != nil {
		return "", fmt.Errorf("the compiled PDF engine cannot be kept; set DECANT_CACHE to a folder that may be written: %w", err)
	}
	return cache, nil
}

// trusted refuses a folder whose native code somebody else could have put there: one of another user's (the administrator's is
// fine), or one that others may write to. One that is not there yet will be our own.
func trusted(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return keptBy(dir, info, 0o022, os.Geteuid(), 0)
}

// ownFolder makes a folder that nobody else can look into, or refuses one that somebody else has made, and a link: native code will
// lie there.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	return keptBy(dir, info, 0o077, os.Geteuid())
}

// keptBy refuses what is not a folder, or not of one of the users, or open to others by one of the rights.
func keptBy(dir string, info fs.FileInfo, rights fs.FileMode, users ...int) error {
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !slices.Contains(users, int(owner.Uid)) || info.Mode().Perm()&rights != 0 {
		return fmt.Errorf("%s belongs to somebody else, or others may write to it: native code from there is not run", dir)
	}
	return nil
}

// workers are the capped children, the outside converters, and the pool that hands them out.
type workers struct {
	*pool.Pool
	runner *child.Runner
	router *outside.Router

	version string // of everything that has a part in a result
}

// Close ends everything that runs, and leaves nothing behind.
func (w *workers) Close() error {
	err := w.Pool.Close()
	w.router.Close()
	w.runner.Close()
	return err
}

// newWorkers makes the pool of capped children, with the PDF engine compiled beforehand: compiling takes more memory than a child has.
// Spares are for a process that lives; a command that ends with its documents has none.
func newWorkers(ctx context.Context, c config.Config, spares bool, log *slog.Logger) (*workers, error) {
	found, err := findConverters(ctx, c)
	if err != nil {
		return nil, err
	}
	runner, err := newRunner(ctx, c, childSettings{Routes: outside.Routes(found)}, log)
	if err != nil {
		return nil, err
	}
	router := outside.New(runner, found, outside.Options{Sandbox: child.Sandbox(c.Sandbox), TempDir: runner.TempDir(), Log: log})
	return &workers{Pool: pool.New(poolOptions(c, spares, log), router), runner: runner, router: router, version: workVersion(found)}, nil
}

// newRunner makes the starter of children, which convert or, for a precheck, only look.
func newRunner(ctx context.Context, c config.Config, settings childSettings, log *slog.Logger) (*child.Runner, error) {
	cache, err := warmCache(ctx, c)
	if err != nil {
		return nil, err
	}
	settings.PDFCache, settings.Memory = cache, c.Limits.Memory
	return child.New(child.Options{
		Sandbox:             child.Sandbox(c.Sandbox),
		ReadOnly:            readable(cache, c.Options.Tokenizer),
		Settings:            settings,
		Memory:              c.Limits.Memory,
		DocumentsPerProcess: c.DocumentsPerProcess,
		Log:                 log,
	}), nil
}

// readable are the paths that a child may read beside its own document: the compiled PDF engine, and a tokenizer that is a file.
func readable(cache, tokenizer string) []string {
	paths := []string{cache}
	if filepath.IsAbs(tokenizer) {
		paths = append(paths, tokenizer)
	}
	return paths
}

func poolOptions(c config.Config, spares bool, log *slog.Logger) pool.Options {
	o := pool.Options{
		Slots: c.Jobs, Memory: c.MemoryBudget, Cap: c.Limits.Memory, Waiting: c.Waiting, Transfers: c.Transfers,
		DrainTimeout: c.DrainTimeout, DocumentsPerProcess: c.DocumentsPerProcess, SparesMin: max(0, c.Spares), SparesMax: c.Spares, Log: log,
	}
	switch {
	case !spares || c.Spares == 0:
		o.SparesMin, o.SparesMax = 0, -1
	case c.Spares < 0:
		o.SparesMax = 0 // as the machine allows
	}
	return o
}
