package mem

import (
	"context"
	"sync"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Cache is a pipeline.Cache in memory. The zero value is empty and ready.
type Cache struct{ entries sync.Map }

var _ pipeline.Cache = (*Cache)(nil)

// Find implements pipeline.Cache.
func (c *Cache) Find(_ context.Context, contentHash, fingerprint string) (job.Source, error) {
	if src, ok := c.entries.Load(contentHash + "-" + fingerprint); ok {
		return src.(job.Source), nil
	}
	return job.Source{}, fault.New(fault.NotFound, "", nil)
}

// Remember implements pipeline.Cache.
func (c *Cache) Remember(_ context.Context, contentHash, fingerprint string, src job.Source) error {
	c.entries.Store(contentHash+"-"+fingerprint, src)
	return nil
}
