package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Warm makes sure that dir holds the compiled module, so that Start in a capped process need not compile.
// A damaged cache is thrown away and built again. It takes about 0.1 s when there is nothing to do,
// else 1 to 3 s and up to 390 MB of memory. The files hold native code: dir must be writable by the service's user only.
func Warm(ctx context.Context, dir string) error {
	if dir == "" {
		return errors.New("warm pdfium: no cache directory")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("warm pdfium: %w", err)
	}
	err := compileInto(ctx, dir)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if cleared := clear(dir); cleared != nil {
		return fmt.Errorf("warm pdfium: %w", errors.Join(err, cleared))
	}
	return compileInto(ctx, dir)
}

func compileInto(ctx context.Context, dir string) error {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return fmt.Errorf("open compile cache: %w", err)
	}
	defer cache.Close(ctx)
	ctx = experimental.WithCompilationWorkers(ctx, 2)
	runtime := wazero.NewRuntimeWithConfig(ctx, runtimeConfig(DefaultMemory).WithCompilationCache(cache))
	defer runtime.Close(ctx)
	if _, err := runtime.CompileModule(ctx, module); err != nil {
		return fmt.Errorf("compile pdfium: %w", err)
	}
	return nil
}

// clear removes what wazero keeps below dir: folders named wazero-<version>-<arch>-<os>, and nothing else.
func clear(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() && strings.HasPrefix(entry.Name(), "wazero-") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	return err
}

// Cached tells whether dir holds any compiled module of this wazero version. It says nothing about whether it is whole.
func Cached(dir string) bool {
	if dir == "" {
		return false
	}
	found := false
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// runtimeConfig is the same for warming and for running, because variants have caches of their own.
// Native wasm exceptions are what the module is built with. WithCloseOnContextDone stays off: it makes loading a page
// eight times slower; time limits are kept by ending the process.
func runtimeConfig(memory int64) wazero.RuntimeConfig {
	pages := uint32(min(max(memory>>16, minPages), maxPages))
	return wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(pages)
}

const (
	// DefaultMemory is how much linear memory the module may take when Config does not say, in bytes.
	DefaultMemory int64 = 512 << 20

	minPages = 320   // the module's own minimum is 289 pages of 64 KiB
	maxPages = 32768 // the module's own maximum
)
