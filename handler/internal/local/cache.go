package local

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Cache is a pipeline.Cache on a folder: one small file for each pair of content and options.
type Cache struct{ root string }

var _ pipeline.Cache = (*Cache)(nil)

// NewCache opens, or makes when it is first written to, a cache in a folder.
func NewCache(root string) *Cache { return &Cache{root: root} }

func (c *Cache) file(contentHash, fingerprint string) string {
	name := contentHash + "-" + fingerprint + ".json"
	return filepath.Join(c.root, name[:2], name)
}

// Find implements pipeline.Cache.
func (c *Cache) Find(_ context.Context, contentHash, fingerprint string) (job.Source, error) {
	var src job.Source
	text, err := os.ReadFile(c.file(contentHash, fingerprint))
	if err != nil {
		return src, storage(err)
	}
	if err := json.Unmarshal(text, &src); err != nil {
		return src, fault.New(fault.NotFound, "", err)
	}
	return src, nil
}

// Remember implements pipeline.Cache.
func (c *Cache) Remember(_ context.Context, contentHash, fingerprint string, src job.Source) error {
	text, err := json.Marshal(src)
	if err != nil {
		return err
	}
	file := c.file(contentHash, fingerprint)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return storage(err)
	}
	return writeFile(file, text)
}
