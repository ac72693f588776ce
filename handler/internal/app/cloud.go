package app

import (
	"context"
	"fmt"
	"strings"

	"decant/handler/internal/azure/blob"
	"decant/handler/internal/azure/cosmos"
	"decant/handler/internal/azure/queue"
	"decant/handler/internal/batch"
	"decant/handler/internal/config"
	"decant/handler/internal/deadletter"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// cloud is storage, queues and ledger in Azure or its emulators.
type cloud struct {
	settings  config.Azure
	tokenizer string // what the app is configured with; messages may name it
	blobs     *blob.Client
	files     *blob.Files
	sink      *blob.Sink
	letters   *blob.Letters
	queues    *queue.Client
	cosmos    *cosmos.Client
	ledger    *ledger.Ledger
	batches   *batch.Service
	box       *deadletter.Box
}

// openCloud makes the clients. It does not connect.
func openCloud(c config.Config) (*cloud, error) {
	a := c.Azure
	if !a.Enabled() {
		return nil, usage{fmt.Errorf("no storage is set: start the emulators with `make start`, or set DECANT_STORAGE (connection string) or DECANT_STORAGE_ACCOUNT (identity)")}
	}
	blobs, err := blob.New(blob.Options{ConnectionString: a.Storage, Account: a.Account, Endpoint: a.BlobEndpoint, Others: others(a)})
	if err != nil {
		return nil, err
	}
	queues, err := queue.New(queue.Options{ConnectionString: a.Storage, Account: a.Account, Endpoint: a.QueueEndpoint})
	if err != nil {
		return nil, err
	}
	db, err := cosmos.New(cosmos.Options{ConnectionString: a.Cosmos, Endpoint: a.CosmosEndpoint, Database: a.CosmosDatabase})
	if err != nil {
		return nil, err
	}
	converters, err := findConverters(context.Background(), c)
	if err != nil {
		return nil, err
	}
	opened := &cloud{
		settings: a, tokenizer: c.Options.Tokenizer, blobs: blobs, files: blobs.Files(), sink: blobs.Sink(a.Converted), letters: blobs.Letters(a.DeadLetter),
		queues: queues, cosmos: db, ledger: ledger.New(db.Store(), ledger.Options{Version: workVersion(converters), Lease: c.Lease}),
	}
	opened.batches = batch.New(batch.Ports{
		Store: db.Batches(), Ledger: opened.ledger, Queue: queues, Lister: opened.files, Lists: opened.letters,
	}, batch.Options{Queue: a.Conversions, Bulk: a.ConversionsBulk, Completed: a.Completed, Secret: a.WebhookSecret})
	opened.box = deadletter.New(deadletter.Ports{Store: opened.letters, Ledger: opened.ledger, Queue: queues}, a.Conversions)
	return opened, nil
}

// isEmulator is true for storage that can only be on this machine.
func (c *cloud) isEmulator() bool { return strings.HasPrefix(c.blobs.Endpoint(), "http://") }

// prepare makes containers, queues and database where nobody else does: in the emulators. In Azure the templates make them.
func (c *cloud) prepare(ctx context.Context) error {
	if !c.isEmulator() {
		return nil
	}
	a := c.settings
	if err := c.blobs.Ensure(ctx, a.Documents, a.Converted, a.DeadLetter); err != nil {
		return err
	}
	for _, name := range []string{a.Conversions, a.ConversionsBulk, a.Completed, a.Conversions + poisonSuffix, a.ConversionsBulk + poisonSuffix} {
		if err := c.queues.Create(ctx, name); err != nil {
			return err
		}
	}
	return c.cosmos.Ensure(ctx)
}

// poisonSuffix is what the Functions host adds to a queue's name for the messages that it gives up on.
const poisonSuffix = "-poison"

// account is how events name the storage account.
func (c *cloud) account() event.Account {
	return event.Account{Name: c.blobs.Account(), Endpoint: c.blobs.Endpoint()}
}

// decoder reads messages about the documents container of our account, and of those that are allowed beside it.
func (c *cloud) decoder() event.Decoder {
	accounts := []event.Account{c.account()}
	for _, name := range others(c.settings) {
		accounts = append(accounts, event.Account{Name: name, Endpoint: "https://" + name + ".blob.core.windows.net"})
	}
	return event.Decoder{Accounts: accounts, Containers: []string{c.settings.Documents}, Tokenizers: []string{c.tokenizer}}
}

// others are the further accounts whose documents are converted.
func others(a config.Azure) []string {
	var names []string
	for name := range strings.SplitSeq(a.AllowedAccounts, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// unreachable makes an error about storage one that a person can act on.
func unreachable(err error) error {
	if fault.KindOf(err) == fault.Storage {
		return fault.New(fault.Storage, "Storage or ledger cannot be reached. Is the service running (make start), and are DECANT_STORAGE and DECANT_COSMOS right?", err)
	}
	return err
}
