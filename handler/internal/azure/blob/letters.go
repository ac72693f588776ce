package blob

import (
	"context"
	"io"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/job"
)

// Letters keeps texts by name in a container: dead letters with their context, the lists of batches.
type Letters struct {
	client    *Client
	container string
}

// Letters gives the texts in a container.
func (c *Client) Letters(container string) *Letters { return &Letters{client: c, container: container} }

// maxLetter bounds a text that is read, in bytes: the list of a batch of 100,000 documents has about 20 MiB.
const maxLetter = 256 * job.MiB

// Save writes a text, in place of what was there.
func (l *Letters) Save(ctx context.Context, name string, text []byte) error {
	_, err := l.client.service.UploadBuffer(ctx, l.container, name, text, nil)
	return account.Fault(err)
}

// Read gives a text; fault.NotFound when it is not there.
func (l *Letters) Read(ctx context.Context, name string) ([]byte, error) {
	r, err := l.client.service.DownloadStream(ctx, l.container, name, nil)
	if err != nil {
		return nil, account.Fault(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(io.LimitReader(r.Body, maxLetter))
	return text, account.Fault(err)
}

// Remove deletes a text; one that is not there is no error.
func (l *Letters) Remove(ctx context.Context, name string) error {
	s := Sink{client: l.client, container: l.container}
	return s.remove(ctx, name)
}

// List gives the names that begin with prefix, after the cursor; next is empty at the end.
func (l *Letters) List(ctx context.Context, prefix, cursor string) (names []string, next string, err error) {
	list, next, err := l.client.Files().List(ctx, l.container, prefix, cursor, 1000)
	for _, src := range list {
		names = append(names, src.Path)
	}
	return names, next, err
}
