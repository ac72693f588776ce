package pdf

import (
	"context"
	"fmt"
	"sync"

	"decant/handler/internal/pdfium"
)

// engines keeps engines for the next document. In a child process there is one document and so one engine;
// tests and benchmarks convert many in one process.
type engines struct {
	cacheDir string
	mu       sync.Mutex
	idle     []*pdfium.Engine
}

func (p *engines) take(ctx context.Context, memory int64) (*pdfium.Engine, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		e := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return e, nil
	}
	p.mu.Unlock()
	e, err := pdfium.Start(ctx, pdfium.Config{CacheDir: p.cacheDir, Memory: memory})
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	return e, nil
}

// maxIdleMemory is how much memory an engine may hold to be worth keeping: it never gives any back.
const maxIdleMemory = 96 << 20

func (p *engines) giveBack(e *pdfium.Engine) {
	if e.Err() != nil || e.MemoryBytes() > maxIdleMemory {
		e.Close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, e)
}

// close ends the engines that wait.
func (p *engines) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.idle {
		e.Close()
	}
	p.idle = nil
}

// engineMemory is the share of the process's memory that the engine's linear memory may take:
// the engine's code and Go itself need about 120 MB, the document model some of the rest.
func engineMemory(limit int64) int64 {
	if limit <= 0 {
		return pdfium.DefaultMemory
	}
	return max(32<<20, (limit-120<<20)*2/3)
}
