package mem_test

import (
	"testing"

	"decant/handler/internal/job"
	"decant/handler/internal/mem"
	"decant/handler/internal/pipeline/pipelinetest"
)

func TestSuite(t *testing.T) {
	pipelinetest.Suite(t, func(t *testing.T) pipelinetest.Backend {
		files := &mem.Files{}
		return pipelinetest.Backend{
			Store: &mem.Store{}, Sink: &mem.Sink{}, Cache: &mem.Cache{}, Fetcher: files,
			Upload: func(_ testing.TB, src job.Source, body []byte) job.Source { return files.Upload(src, body) },
			Remove: func(_ testing.TB, src job.Source) job.Source { return files.Remove(src) },
		}
	})
}
