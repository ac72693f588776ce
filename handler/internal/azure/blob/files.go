package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	sdk "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// Files reads source files: a pipeline.Fetcher.
type Files struct{ client *Client }

var _ pipeline.Fetcher = (*Files)(nil)

// Files gives the source files of the account.
func (c *Client) Files() *Files { return &Files{client: c} }

// service gives the account of a source; no event can send us to one that the settings do not name.
func (f *Files) service(src job.Source) (*azblob.Client, error) {
	if src.Account == "" || src.Account == f.client.account {
		return f.client.service, nil
	}
	if other, ok := f.client.others[src.Account]; ok {
		return other, nil
	}
	return nil, fault.Newf(fault.Denied, "The file lies in the storage account %q, which this service may not read. Add it to DECANT_ALLOWED_ACCOUNTS and give the app's identity the right to read there.", src.Account)
}

// Stat implements pipeline.Fetcher.
func (f *Files) Stat(ctx context.Context, src job.Source) (job.Source, error) {
	service, err := f.service(src)
	if err != nil {
		return src, err
	}
	p, err := service.ServiceClient().NewContainerClient(src.Container).NewBlobClient(src.Path).GetProperties(ctx, nil)
	if err != nil {
		return src, sourceFault(err)
	}
	return describe(src, p.ETag, p.ContentLength, p.ContentType), nil
}

func describe(src job.Source, etag *azcore.ETag, size *int64, mediaType *string) job.Source {
	if etag != nil {
		src.ETag = trimETag(*etag)
	}
	if size != nil {
		src.Size = *size
	}
	if src.MediaType == "" && mediaType != nil {
		src.MediaType = *mediaType
	}
	return src
}

func trimETag(etag azcore.ETag) string { return strings.Trim(string(etag), `"`) }

func quoteETag(etag string) *azcore.ETag {
	quoted := azcore.ETag(`"` + etag + `"`)
	return &quoted
}

// Fetch implements pipeline.Fetcher.
func (f *Files) Fetch(ctx context.Context, src job.Source, limit int64, w io.Writer) (job.Source, error) {
	service, err := f.service(src)
	if err != nil {
		return src, err
	}
	o := &azblob.DownloadStreamOptions{}
	if src.ETag != "" {
		o.AccessConditions = &sdk.AccessConditions{ModifiedAccessConditions: &sdk.ModifiedAccessConditions{IfMatch: quoteETag(src.ETag)}}
	}
	r, err := service.DownloadStream(ctx, src.Container, src.Path, o)
	if account.Status(err) == http.StatusPreconditionFailed {
		return f.staleOrGone(ctx, src, err)
	} else if err != nil {
		return src, sourceFault(err)
	}
	if r.Body == nil { // the SDK gives no error and no body for 304
		return src, fault.New(fault.Stale, "", nil)
	}
	now := describe(src, r.ETag, r.ContentLength, r.ContentType)
	if now.Size > limit {
		r.Body.Close()
		return now, tooLarge(now.Size, limit)
	}
	body := r.NewRetryReader(ctx, &azblob.RetryReaderOptions{MaxRetries: 5})
	defer body.Close()
	n, err := pipeline.CopyLimited(w, body, limit)
	switch {
	case err != nil:
		return now, sourceFault(err)
	case n != now.Size:
		return now, fault.New(fault.Storage, "", io.ErrUnexpectedEOF)
	}
	return now, nil
}

// staleOrGone looks what is behind a condition that does not hold: it does not hold for a missing blob either.
func (f *Files) staleOrGone(ctx context.Context, src job.Source, refused error) (job.Source, error) {
	now, err := f.Stat(ctx, src)
	if err != nil {
		return src, err
	}
	return now, sourceFault(refused)
}

func tooLarge(size, limit int64) error {
	return fault.Newf(fault.TooLarge, "The file has %.1f MiB, the limit is %.1f MiB. Split it, or raise the limit (--max-size, DECANT_MAX_INPUT).",
		float64(size)/float64(job.MiB), float64(limit)/float64(job.MiB))
}

// sourceFault: of a source file, not found means gone, and a condition that does not hold means a newer version.
func sourceFault(err error) error {
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		return err
	case bloberror.HasCode(err, bloberror.BlobNotFound, bloberror.ContainerNotFound, bloberror.ContainerBeingDeleted), account.Status(err) == http.StatusNotFound:
		return fault.New(fault.Gone, "", err)
	case account.Status(err) == http.StatusPreconditionFailed:
		return fault.New(fault.Stale, "", err)
	}
	return account.Fault(err)
}

// Upload stores a source file, in place of what was there, and gives it as the event for it would.
func (f *Files) Upload(ctx context.Context, src job.Source, body io.Reader) (job.Source, error) {
	o := &azblob.UploadStreamOptions{BlockSize: 8 * job.MiB, Concurrency: 2}
	if src.MediaType != "" {
		o.HTTPHeaders = &sdk.HTTPHeaders{BlobContentType: &src.MediaType}
	}
	counted := &counter{r: body}
	r, err := f.client.service.UploadStream(ctx, src.Container, src.Path, counted, o)
	if err != nil {
		return src, account.Fault(err)
	}
	src.Account, src.Size = f.client.account, counted.n
	return describe(src, r.ETag, nil, nil), nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Remove deletes a source file; one that is not there is no error.
func (f *Files) Remove(ctx context.Context, src job.Source) error {
	_, err := f.client.service.DeleteBlob(ctx, src.Container, src.Path, nil)
	if account.Status(err) == http.StatusNotFound {
		return nil
	}
	return account.Fault(err)
}

// List gives source files of a container whose paths begin with prefix, at most 1000 at a time, in the order of paths.
// next is the cursor to go on with, empty at the end.
func (f *Files) List(ctx context.Context, container, prefix, cursor string, limit int) (list []job.Source, next string, err error) {
	size := int32(min(max(limit, 1), 1000))
	o := &azblob.ListBlobsFlatOptions{Prefix: &prefix, MaxResults: &size}
	if cursor != "" {
		o.Marker = &cursor
	}
	page, err := f.client.service.NewListBlobsFlatPager(container, o).NextPage(ctx)
	if err != nil {
		return nil, "", account.Fault(err)
	}
	for _, b := range page.Segment.BlobItems {
		src := job.Source{Account: f.client.account, Container: container, Path: *b.Name}
		list = append(list, describe(src, b.Properties.ETag, b.Properties.ContentLength, b.Properties.ContentType))
	}
	if page.NextMarker != nil {
		next = *page.NextMarker
	}
	return list, next, nil
}
