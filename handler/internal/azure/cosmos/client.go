package cosmos

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// The containers.
const (
	DocumentsContainer = "documents"
	BatchesContainer   = "batches"
)

// Options say where the Cosmos account is and how to sign in: with ConnectionString, or with Endpoint and the app's identity.
type Options struct {
	ConnectionString job.Secret
	Endpoint         string
	Database         string // default "decant"
	Transport        policy.Transporter
}

// Client is one database.
type Client struct {
	service   *azcosmos.Client
	database  string
	documents *azcosmos.ContainerClient
	batches   *azcosmos.ContainerClient
}

// New makes a client. It does not connect.
func New(o Options) (*Client, error) {
	if o.Database == "" {
		o.Database = "decant"
	}
	service, err := connect(o)
	if err != nil {
		return nil, account.Fault(err)
	}
	c := &Client{service: service, database: o.Database}
	if c.documents, err = service.NewContainer(o.Database, DocumentsContainer); err != nil {
		return nil, account.Fault(err)
	}
	c.batches, err = service.NewContainer(o.Database, BatchesContainer)
	return c, account.Fault(err)
}

func connect(o Options) (*azcosmos.Client, error) {
	if o.Transport == nil {
		o.Transport = account.Transport
	}
	settings := &azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{Retry: account.Retries(), Transport: o.Transport}}
	if o.ConnectionString != "" {
		return azcosmos.NewClientFromConnectionString(string(o.ConnectionString), settings)
	}
	credential, err := account.Credential()
	if err != nil {
		return nil, err
	}
	return azcosmos.NewClient(o.Endpoint, credential, settings)
}

// Ensure makes the database and its containers where they are not there: on a laptop. In Azure the templates do.
func (c *Client) Ensure(ctx context.Context) error {
	_, err := again(ctx, func() (azcosmos.DatabaseResponse, error) {
		return c.service.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: c.database}, nil)
	})
	if err = account.Fault(err); err != nil && fault.KindOf(err) != fault.Conflict {
		return err
	}
	db, err := c.service.NewDatabase(c.database)
	if err != nil {
		return account.Fault(err)
	}
	for name, key := range map[string]string{DocumentsContainer: "/documentId", BatchesContainer: "/batchId"} {
		_, err := again(ctx, func() (azcosmos.ContainerResponse, error) { return db.CreateContainer(ctx, properties(name, key), nil) })
		if err = account.Fault(err); err != nil && fault.KindOf(err) != fault.Conflict {
			return err
		}
	}
	return nil
}

// properties leaves what nobody searches out of the index, since every indexed path costs request units on each write.
func properties(name, key string) azcosmos.ContainerProperties {
	return azcosmos.ContainerProperties{
		ID:                     name,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{key}, Kind: azcosmos.PartitionKeyKindHash, Version: 2},
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			ExcludedPaths: []azcosmos.ExcludedPath{
				{Path: "/text/?"}, {Path: "/embedding/*"}, {Path: "/boxes/*"}, {Path: "/attempts/*"}, {Path: "/warnings/*"}, {Path: `/"_etag"/?`},
			},
		},
	}
}
