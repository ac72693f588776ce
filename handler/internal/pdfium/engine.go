package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Config says how to start an Engine.
type Config struct {
	// CacheDir is where Warm put the compiled module. It is read; when it is unusable, the module is compiled in memory.
	CacheDir string
	// Memory is how many bytes of linear memory the module may take. 0 means DefaultMemory.
	Memory int64
}

// Engine is one instance of PDFium. Close must be called once.
type Engine struct {
	ctx      context.Context
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule
	instance api.Module
	memory   api.Memory
	fns      map[string]api.Function
	hot      hotFunctions
	stack    [16]uint64
	scratch  uint32 // 4 KiB for results
	err      error

	source *io.SectionReader // of the open document
}

const scratchSize = 4096

// Start makes an Engine ready to open documents.
func Start(ctx context.Context, config Config) (*Engine, error) {
	if config.Memory <= 0 {
		config.Memory = DefaultMemory
	}
	e, err := start(ctx, config)
	if err == nil || config.CacheDir == "" {
		return e, err
	}
	config.CacheDir = ""
	e, second := start(ctx, config)
	if second != nil {
		return nil, errors.Join(err, second)
	}
	return e, nil
}

func start(ctx context.Context, config Config) (_ *Engine, err error) {
	ctx = experimental.WithMemoryAllocator(context.WithoutCancel(ctx), experimental.MemoryAllocatorFunc(allocate))
	e := &Engine{ctx: ctx}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	settings, wasm := runtimeConfig(config.Memory), module
	if config.CacheDir != "" {
		if !holdsCode(config.CacheDir) {
			return nil, errors.New("the cache holds no compiled engine")
		}
		if wasm, err = shell(); err != nil {
			return nil, err
		}
		if e.cache, err = wazero.NewCompilationCacheWithDir(engineDir(config.CacheDir)); err != nil {
			return nil, fmt.Errorf("open compile cache: %w", err)
		}
		settings = settings.WithCompilationCache(e.cache)
	}
	e.runtime = wazero.NewRuntimeWithConfig(ctx, settings)
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err != nil {
		return nil, fmt.Errorf("instantiate wasi: %w", err)
	}
	if e.compiled, err = e.runtime.CompileModule(ctx, wasm); err != nil {
		return nil, fmt.Errorf("compile pdfium: %w", err)
	}
	if err = e.instantiateHost(); err != nil {
		return nil, fmt.Errorf("instantiate host functions: %w", err)
	}
	if err = e.Restart(); err != nil {
		return nil, err
	}
	return e, nil
}

// Restart throws the instance away, with everything that was open in it, and makes a fresh one.
func (e *Engine) Restart() error {
	if e.instance != nil {
		_ = e.instance.Close(e.ctx)
	}
	// No file system is mounted, standard streams go nowhere.
	config := wazero.NewModuleConfig().WithStartFunctions("_initialize").WithName("pdfium")
	instance, err := e.runtime.InstantiateModule(e.ctx, e.compiled, config)
	if err != nil {
		e.err = fmt.Errorf("instantiate pdfium: %w", err)
		return e.err
	}
	e.instance, e.memory, e.err, e.source = instance, instance.Memory(), nil, nil
	e.fns = map[string]api.Function{}
	e.hot = e.resolveHot()
	e.call("FPDF_InitLibrary")
	e.scratch = uint32(e.call("malloc", scratchSize))
	if e.err == nil && e.scratch == 0 {
		e.err = errors.New("start pdfium: no memory")
	}
	return e.err
}

// Err is why the instance is dead, or nil.
func (e *Engine) Err() error { return e.err }

// MemoryBytes is how much linear memory the module holds now.
func (e *Engine) MemoryBytes() int64 {
	if e.memory == nil {
		return 0
	}
	return int64(e.memory.Size())
}

// Close ends the instance and gives back its memory.
func (e *Engine) Close() {
	if e.runtime != nil {
		_ = e.runtime.Close(e.ctx)
	}
	if e.cache != nil {
		_ = e.cache.Close(e.ctx)
	}
	e.err = errors.New("pdfium: engine is closed")
}

// instantiateHost gives the module the callbacks it imports. All but the file reader answer 0 and do nothing:
// there is no form filling, no script and no download.
func (e *Engine) instantiateHost() error {
	host := e.runtime.NewHostModuleBuilder("env")
	for _, imported := range e.compiled.ImportedFunctions() {
		module, name, _ := imported.Import()
		if module != "env" {
			continue
		}
		call := nothing(len(imported.ResultTypes()))
		if name == "FPDF_FILEACCESS_CB" {
			call = e.readBlock
		}
		host.NewFunctionBuilder().
			WithGoModuleFunction(call, imported.ParamTypes(), imported.ResultTypes()).
			Export(name)
	}
	_, err := host.Instantiate(e.ctx)
	return err
}

func nothing(results int) api.GoModuleFunc {
	return func(_ context.Context, _ api.Module, stack []uint64) {
		if results > 0 {
			stack[0] = 0
		}
	}
}

// readBlock is FPDF_FILEACCESS.m_GetBlock(param, position, buffer, size): all or nothing.
// The upper halves of i32 stack slots may hold garbage.
func (e *Engine) readBlock(_ context.Context, module api.Module, stack []uint64) {
	position, buffer, size := int64(uint32(stack[1])), uint32(stack[2]), uint32(stack[3])
	stack[0] = 0
	target, ok := module.Memory().Read(buffer, size)
	if !ok || e.source == nil {
		return
	}
	if n, _ := e.source.ReadAt(target, position); n == int(size) {
		stack[0] = 1
	}
}
