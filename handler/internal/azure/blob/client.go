package blob

import (
	"context"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"decant/handler/internal/azure/account"
	"decant/handler/internal/job"
)

// Options say where the storage account is and how to sign in: with ConnectionString, or with Account and the app's identity.
type Options struct {
	ConnectionString job.Secret
	Account          string // name
	Endpoint         string // of its blob service; default https://<Account>.blob.core.windows.net
	// Others are further accounts whose files may be read, by name; with the app's identity only.
	Others    []string
	Transport policy.Transporter
}

// Client is one storage account's blob service.
type Client struct {
	service *azblob.Client
	account string
	others  map[string]*azblob.Client // to read files from
}

// New makes a client. It does not connect.
func New(o Options) (*Client, error) {
	if o.Transport == nil {
		o.Transport = account.Transport
	}
	settings := &azblob.ClientOptions{ClientOptions: policy.ClientOptions{Retry: account.Retries(), Transport: o.Transport}}
	if o.ConnectionString != "" {
		connection := account.Expand(string(o.ConnectionString))
		service, err := azblob.NewClientFromConnectionString(connection, settings)
		return &Client{service: service, account: account.Setting(connection, "AccountName")}, account.Fault(err)
	}
	credential, err := account.Credential()
	if err != nil {
		return nil, err
	}
	if o.Endpoint == "" {
		o.Endpoint = publicEndpoint(o.Account)
	}
	c := &Client{account: o.Account, others: map[string]*azblob.Client{}}
	if c.service, err = azblob.NewClient(o.Endpoint, credential, settings); err != nil {
		return nil, account.Fault(err)
	}
	for _, name := range o.Others {
		if c.others[name], err = azblob.NewClient(publicEndpoint(name), credential, settings); err != nil {
			return nil, account.Fault(err)
		}
	}
	return c, nil
}

func publicEndpoint(account string) string { return "https://" + account + ".blob.core.windows.net" }

// Account is the storage account's name, as in job.Source.Account.
func (c *Client) Account() string { return c.account }

// Endpoint is the blob service's URL, without a slash at the end.
func (c *Client) Endpoint() string { return strings.TrimRight(c.service.URL(), "/") }

// Ensure makes containers that are not there.
func (c *Client) Ensure(ctx context.Context, containers ...string) error {
	for _, name := range containers {
		_, err := c.service.CreateContainer(ctx, name, nil)
		if err != nil && !bloberror.HasCode(err, bloberror.ContainerAlreadyExists) {
			return account.Fault(err)
		}
	}
	return nil
}
