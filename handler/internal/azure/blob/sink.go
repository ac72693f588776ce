package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	sdk "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Metadata of result blobs; they tell whose a blob is where names of documents continue each other.
const (
	metaDocument   = "documentid"
	metaGeneration = "generation"
)

// maxManifest bounds a manifest that is read, in bytes.
const maxManifest = 64 << 20

// Sink keeps results: a pipeline.Sink and a pipeline.Cache.
type Sink struct {
	client    *Client
	container string
}

var (
	_ pipeline.Sink  = (*Sink)(nil)
	_ pipeline.Cache = (*Sink)(nil)
)

// Sink gives the results in a container.
func (c *Client) Sink(container string) *Sink { return &Sink{client: c, container: container} }

func (s *Sink) blob(name string) *blockblob.Client {
	return s.client.service.ServiceClient().NewContainerClient(s.container).NewBlockBlobClient(name)
}

// Put implements pipeline.Sink.
func (s *Sink) Put(ctx context.Context, t pipeline.Target, f job.File, body io.ReadSeeker) error {
	name, ok := fileName(t.Source, generationDir(t.Generation)+"/"+f.Path)
	if !ok {
		return fault.New(fault.Internal, "", fmt.Errorf("result file %q lies outside the results", f.Path))
	}
	if f.Bytes > wholeUpload {
		_, err := s.blob(name).UploadStream(ctx, body, &blockblob.UploadStreamOptions{
			BlockSize: blockSize, Concurrency: 2, Metadata: metadata(t), HTTPHeaders: headers(f.MediaType),
		})
		return account.Fault(err)
	}
	o := &blockblob.UploadOptions{Metadata: metadata(t), HTTPHeaders: headers(f.MediaType)}
	_, err := s.blob(name).Upload(ctx, streaming.NopCloser(body), o)
	return account.Fault(err)
}

// Larger files are sent in blocks, in bytes: a block that is lost on the way is sent again by itself, there is no limit of 5000 MiB,
// and no more than the blocks under way are in memory. 50,000 blocks make a blob.
const (
	wholeUpload = 32 << 20
	blockSize   = 8 << 20
)

func metadata(t pipeline.Target) map[string]*string {
	id, generation := string(t.Source.ID()), generationDir(t.Generation)
	return map[string]*string{metaDocument: &id, metaGeneration: &generation}
}

func headers(mediaType string) *sdk.HTTPHeaders {
	if strings.HasPrefix(mediaType, "text/") && !strings.Contains(mediaType, "charset") {
		mediaType += "; charset=utf-8"
	}
	return &sdk.HTTPHeaders{BlobContentType: &mediaType}
}

// Publish implements pipeline.Sink. The manifest is replaced only if it still is the one that was looked at.
func (s *Sink) Publish(ctx context.Context, t pipeline.Target, m pipeline.Manifest) error {
	text, err := m.Below(generationDir(t.Generation)).Marshal()
	if err != nil {
		return err
	}
	name := folder(t.Source) + job.ManifestFile
	for try := range 8 {
		var etag *azcore.ETag
		if try > 0 || t.Generation > 1 { // the first generation is taken to meet none
			if etag, err = s.mayReplace(ctx, name, t.Generation); err != nil {
				return err
			}
		}
		o := &blockblob.UploadOptions{Metadata: metadata(t), HTTPHeaders: headers("application/json"), AccessConditions: unchanged(etag)}
		_, err = s.blob(name).Upload(ctx, streaming.NopCloser(bytes.NewReader(text)), o)
		if err = account.Fault(err); fault.KindOf(err) != fault.Conflict {
			return err
		}
	}
	return fault.New(fault.Busy, "", nil)
}

// mayReplace gives the etag of the manifest that a generation may replace, nil when there is none.
func (s *Sink) mayReplace(ctx context.Context, name string, generation int64) (*azcore.ETag, error) {
	known, etag, err := s.manifest(ctx, name)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return nil, nil
	case err == nil && known.Generation > generation:
		return nil, fault.New(fault.LeaseLost, "", nil)
	}
	return etag, err
}

// unchanged is the condition that a blob still has an etag, or is still not there when it had none.
func unchanged(etag *azcore.ETag) *sdk.AccessConditions {
	c := &sdk.ModifiedAccessConditions{IfMatch: etag}
	if etag == nil {
		none := azcore.ETagAny
		c.IfNoneMatch = &none
	}
	return &sdk.AccessConditions{ModifiedAccessConditions: c}
}

// Manifest implements pipeline.Sink.
func (s *Sink) Manifest(ctx context.Context, src job.Source) (pipeline.Manifest, error) {
	m, _, err := s.manifest(ctx, folder(src)+job.ManifestFile)
	return m, err
}

func (s *Sink) manifest(ctx context.Context, name string) (m pipeline.Manifest, etag *azcore.ETag, err error) {
	r, err := s.blob(name).DownloadStream(ctx, nil)
	if err != nil {
		return m, nil, account.Fault(err)
	}
	body := r.NewRetryReader(ctx, nil)
	defer body.Close()
	if err := json.NewDecoder(io.LimitReader(body, maxManifest)).Decode(&m); err != nil {
		return m, nil, fault.New(fault.Storage, "", fmt.Errorf("read manifest: %w", err))
	}
	return m, r.ETag, nil
}

// Open implements pipeline.Sink.
func (s *Sink) Open(ctx context.Context, src job.Source, path string) (io.ReadCloser, error) {
	name, ok := fileName(src, path)
	if !ok {
		return nil, fault.New(fault.NotFound, "", nil)
	}
	r, err := s.blob(name).DownloadStream(ctx, nil)
	if err != nil {
		return nil, account.Fault(err)
	}
	return r.NewRetryReader(ctx, nil), nil
}

// result is one blob below a document's folder that is the document's own.
type result struct {
	name       string
	generation int64
}

// results lists a document's own blobs. Blobs of documents whose names continue this one's lie there too and are passed over.
func (s *Sink) results(ctx context.Context, src job.Source) ([]result, error) {
	prefix, id := folder(src), string(src.ID())
	pager := s.client.service.NewListBlobsFlatPager(s.container, &azblob.ListBlobsFlatOptions{
		Prefix: &prefix, Include: container.ListBlobsInclude{Metadata: true},
	})
	var own []result
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return own, account.Fault(err)
		}
		for _, b := range page.Segment.BlobItems {
			if lookup(b.Metadata, metaDocument) == id {
				generation, _ := strconv.ParseInt(lookup(b.Metadata, metaGeneration), 10, 64)
				own = append(own, result{*b.Name, generation})
			}
		}
	}
	return own, nil
}

var _ pipeline.Results = (*Sink)(nil)

// Files implements pipeline.Results.
func (s *Sink) Files(ctx context.Context, cursor string, limit int) (list []pipeline.ResultFile, next string, err error) {
	size := int32(min(max(limit, 1), 1000))
	o := &azblob.ListBlobsFlatOptions{MaxResults: &size, Include: container.ListBlobsInclude{Metadata: true}}
	if cursor != "" {
		o.Marker = &cursor
	}
	page, err := s.client.service.NewListBlobsFlatPager(s.container, o).NextPage(ctx)
	if err != nil {
		return nil, "", account.Fault(err)
	}
	for _, b := range page.Segment.BlobItems {
		f := pipeline.ResultFile{Name: *b.Name, DocumentID: job.ID(lookup(b.Metadata, metaDocument))}
		if f.DocumentID == "" { // not a result
			continue
		}
		f.Manifest = strings.HasSuffix(f.Name, "/"+job.ManifestFile) && lookup(b.Metadata, metaGeneration) != ""
		if b.Properties != nil && b.Properties.LastModified != nil {
			f.Modified = *b.Properties.LastModified
		}
		list = append(list, f)
	}
	if page.NextMarker != nil {
		next = *page.NextMarker
	}
	return list, next, nil
}

// RemoveFile implements pipeline.Results.
func (s *Sink) RemoveFile(ctx context.Context, name string) error { return s.remove(ctx, name) }

// lookup reads metadata, whose names come back in any case.
func lookup(metadata map[string]*string, name string) string {
	for key, value := range metadata {
		if strings.EqualFold(key, name) && value != nil {
			return *value
		}
	}
	return ""
}

// Prune implements pipeline.Sink.
func (s *Sink) Prune(ctx context.Context, src job.Source, keep int64) (int, error) {
	m, err := s.Manifest(ctx, src)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return 0, err
	}
	named := map[string]bool{folder(src) + job.ManifestFile: true}
	for _, f := range m.Files {
		named[folder(src)+f.Path] = true
	}
	own, err := s.results(ctx, src)
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, r := range own {
		if r.generation >= keep || named[r.name] {
			continue
		}
		if err := s.remove(ctx, r.name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// Remove implements pipeline.Sink.
func (s *Sink) Remove(ctx context.Context, src job.Source) error {
	if err := s.remove(ctx, folder(src)+job.ManifestFile); err != nil {
		return err
	}
	own, err := s.results(ctx, src)
	if err != nil {
		return err
	}
	for _, r := range own {
		if err := s.remove(ctx, r.name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sink) remove(ctx context.Context, name string) error {
	_, err := s.client.service.DeleteBlob(ctx, s.container, name, nil)
	if err = account.Fault(err); fault.KindOf(err) == fault.NotFound {
		return nil
	}
	return err
}
