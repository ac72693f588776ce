package cosmos

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/azure/account"
)

// pages gives the answer to a query page by page. Each request gets a pager of its own: one of the SDK's that has failed
// gives the same error for good, so that nothing could be sent again.
type pages struct {
	items     *azcosmos.ContainerClient
	sql       string
	partition azcosmos.PartitionKey
	options   azcosmos.QueryOptions // its ContinuationToken is where the next page begins
	ended     bool
}

func (p *pages) more() bool { return !p.ended }

func (p *pages) next(ctx context.Context) (azcosmos.QueryItemsResponse, error) {
	page, err := again(ctx, func() (azcosmos.QueryItemsResponse, error) {
		return p.items.NewQueryItemsPager(p.sql, p.partition, &p.options).NextPage(ctx)
	})
	if err != nil {
		return page, account.Fault(err)
	}
	p.options.ContinuationToken, p.ended = page.ContinuationToken, page.ContinuationToken == nil
	return page, nil
}

// nextFull gives the next page that has something in it: over partitions, the gateway gives empty ones between.
func (p *pages) nextFull(ctx context.Context) (page azcosmos.QueryItemsResponse, err error) {
	for p.more() && len(page.Items) == 0 {
		if page, err = p.next(ctx); err != nil {
			return page, err
		}
	}
	return page, nil
}

// overAll asks all partitions.
func overAll(items *azcosmos.ContainerClient, sql string, size int, after string, parameters []azcosmos.QueryParameter) *pages {
	p := &pages{items: items, sql: sql, partition: azcosmos.NewPartitionKey(), options: azcosmos.QueryOptions{PageSizeHint: int32(size), QueryParameters: parameters}}
	if after != "" {
		p.options.ContinuationToken = &after
	}
	return p
}
