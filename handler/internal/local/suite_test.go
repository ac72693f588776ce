package local_test

import (
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/job"
	"decant/handler/internal/local"
	"decant/handler/internal/pipeline/pipelinetest"
)

func TestSuite(t *testing.T) {
	pipelinetest.Suite(t, func(t *testing.T) pipelinetest.Backend {
		root := t.TempDir()
		resolve := local.Folder(filepath.Join(root, "in"))
		files := local.NewFiles(resolve)
		return pipelinetest.Backend{
			Store: local.NewStore(filepath.Join(root, "ledger")), Sink: local.NewSink(filepath.Join(root, "out")),
			Cache: local.NewCache(filepath.Join(root, "cache")), Fetcher: files,
			Upload: func(t testing.TB, src job.Source, body []byte) job.Source {
				file := resolve(src)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, body, 0o644); err != nil {
					t.Fatal(err)
				}
				src.ETag = ""
				now, err := files.Stat(t.Context(), src)
				if err != nil {
					t.Fatal(err)
				}
				return now
			},
			Remove: func(t testing.TB, src job.Source) job.Source {
				if err := os.Remove(resolve(src)); err != nil {
					t.Fatal(err)
				}
				return src
			},
		}
	})
}
