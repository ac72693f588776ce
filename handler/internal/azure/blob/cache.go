package blob

import (
	"context"
	"encoding/json"
	"io"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// Find implements pipeline.Cache.
func (s *Sink) Find(ctx context.Context, contentHash, fingerprint string) (job.Source, error) {
	var src job.Source
	r, err := s.blob(cacheName(contentHash, fingerprint)).DownloadStream(ctx, nil)
	if err != nil {
		return src, account.Fault(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&src); err != nil {
		return src, fault.New(fault.NotFound, "", err)
	}
	return src, nil
}

// Remember implements pipeline.Cache.
func (s *Sink) Remember(ctx context.Context, contentHash, fingerprint string, src job.Source) error {
	text, err := json.Marshal(src)
	if err != nil {
		return err
	}
	_, err = s.client.service.UploadBuffer(ctx, s.container, cacheName(contentHash, fingerprint), text, nil)
	return account.Fault(err)
}
