package pdfium

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Warm makes sure that dir holds the engine's native code for this processor, so that Start in a capped process need not
// compile. What is damaged or for another processor is built anew. It takes about 0.1 s when there is nothing to do, else 1 to
// 3 s and up to 390 MB of memory. The files hold native code: dir must be writable by the service's user only.
func Warm(ctx context.Context, dir string) error {
	if dir == "" {
		return errors.New("warm pdfium: no cache directory")
	}
	if err := folder(engineDir(dir)); err != nil {
		return fmt.Errorf("warm pdfium: %w", err)
	}
	if serves(ctx, dir) == nil {
		return nil
	}
	if err := build(ctx, dir); err != nil {
		return fmt.Errorf("warm pdfium: %w", err)
	}
	if err := serves(ctx, dir); err != nil {
		return fmt.Errorf("warm pdfium: what was compiled does not run: %w", err)
	}
	return nil
}

// engineDir is where the native code is below the cache directory; another way to keep it takes another name.
func engineDir(dir string) string { return filepath.Join(dir, "pdfium-hollow") }

// serves tells whether an engine starts from dir.
func serves(ctx context.Context, dir string) error {
	e, err := start(ctx, Config{CacheDir: dir, Memory: DefaultMemory})
	if err != nil {
		return err
	}
	e.Close()
	return nil
}

// build compiles the module, and puts its native code into dir under the name that wazero looks for when it is given the
// hollow module: what it compiles that one to is thrown away. Others see the code when it is whole.
func build(ctx context.Context, dir string) error {
	dir = engineDir(dir)
	work, err := os.MkdirTemp(dir, "warm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	empty, err := shell()
	if err != nil {
		return err
	}
	code, err := compileInto(ctx, filepath.Join(work, "full"), module)
	if err != nil {
		return err
	}
	name, err := compileInto(ctx, filepath.Join(work, "hollow"), empty)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, name)
	if err := folder(filepath.Dir(target)); err != nil {
		return err
	}
	if info, err := os.Lstat(target); err == nil && info.IsDir() {
		if err := os.RemoveAll(target); err != nil {
			return err
		}
	}
	return os.Rename(filepath.Join(work, "full", code), target)
}

// folder makes a folder of the cache; a file in its place is no more use than damaged native code, and goes like that.
func folder(dir string) error {
	if info, err := os.Lstat(dir); err == nil && info.Mode().IsRegular() {
		if err := os.Remove(dir); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o700)
}

// compileInto compiles a module into a new directory, and gives the path below it of the file with the native code.
func compileInto(ctx context.Context, dir string, wasm []byte) (string, error) {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return "", fmt.Errorf("open compile cache: %w", err)
	}
	defer cache.Close(ctx)
	ctx = experimental.WithCompilationWorkers(ctx, 2)
	runtime := wazero.NewRuntimeWithConfig(ctx, runtimeConfig(DefaultMemory).WithCompilationCache(cache))
	defer runtime.Close(ctx)
	if _, err := runtime.CompileModule(ctx, wasm); err != nil {
		return "", fmt.Errorf("compile pdfium: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("the compile cache holds %d files, not one", len(files))
	}
	return filepath.Rel(dir, files[0])
}

// holdsCode tells whether dir holds any file that can be the whole engine's code. Without one nothing is to be started from
// dir: wazero would compile the hollow module, and keep that.
func holdsCode(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(engineDir(dir), "wazero-*", "*"))
	return slices.ContainsFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err == nil && info.Size() > int64(len(module))
	})
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
