package emulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"decant/handler/internal/emulator"
)

// TestCosmos holds the Cosmos emulator to the answers of the service that decant relies on.
func TestCosmos(t *testing.T) {
	server, err := emulator.StartCosmos(t.Context(), emulator.Options{})
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	client, err := azcosmos.NewClientFromConnectionString(server.ConnectionString(), &azcosmos.ClientOptions{
		ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	_, err = client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil)
	wantStatus(t, "create a database twice", err, 409)
	for _, c := range []struct {
		name string
		run  func(*testing.T, *azcosmos.ContainerClient)
	}{
		{"items", testItems}, {"etags", testETags}, {"partitions", testPartitions}, {"patch", testPatch},
		{"batch", testBatch}, {"queries", testQueries}, {"paging", testPaging}, {"limits", testLimits},
		{"many", testMany}, {"counter", testCounter}, {"expiry", testExpiry},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, newContainer(t, client, c.name)) })
	}
}

type item map[string]any

func (i item) json() []byte {
	text, err := json.Marshal(i)
	if err != nil {
		panic(err)
	}
	return text
}

func newContainer(t *testing.T, client *azcosmos.Client, name string) *azcosmos.ContainerClient {
	t.Helper()
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	forever := int32(-1)
	_, err = db.CreateContainer(t.Context(), azcosmos.ContainerProperties{
		ID: name, DefaultTimeToLive: &forever,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Kind: azcosmos.PartitionKeyKindHash, Version: 2},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var pkA, pkB = azcosmos.NewPartitionKeyString("A"), azcosmos.NewPartitionKeyString("B")

func wantStatus(t *testing.T, what string, err error, status int) {
	t.Helper()
	var response *azcore.ResponseError
	switch {
	case status == 0 && err != nil:
		t.Errorf("%s: %v", what, err)
	case status != 0 && (!errors.As(err, &response) || response.StatusCode != status):
		t.Errorf("%s: %v, want status %d", what, err, status)
	}
}

func create(t *testing.T, c *azcosmos.ContainerClient, pk string, i item) azcore.ETag {
	t.Helper()
	i["pk"] = pk
	r, err := c.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(pk), i.json(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.ETag
}

func readItem(t *testing.T, c *azcosmos.ContainerClient, pk azcosmos.PartitionKey, id string) item {
	t.Helper()
	r, err := c.ReadItem(t.Context(), pk, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	var i item
	if err := json.Unmarshal(r.Value, &i); err != nil {
		t.Fatal(err)
	}
	return i
}

func testItems(t *testing.T, c *azcosmos.ContainerClient) {
	ctx := t.Context()
	create(t, c, "A", item{"id": "1", "n": 1})
	_, err := c.CreateItem(ctx, pkA, item{"id": "1", "pk": "A"}.json(), nil)
	wantStatus(t, "create twice", err, 409)
	_, err = c.ReadItem(ctx, pkA, "missing", nil)
	wantStatus(t, "read a missing item", err, 404)
	_, err = c.ReplaceItem(ctx, pkA, "missing", item{"id": "missing", "pk": "A"}.json(), nil)
	wantStatus(t, "replace a missing item", err, 404)
	_, err = c.DeleteItem(ctx, pkA, "missing", nil)
	wantStatus(t, "delete a missing item", err, 404)
	for _, want := range []int{201, 200} {
		r, err := c.UpsertItem(ctx, pkA, item{"id": "up", "pk": "A"}.json(), nil)
		if err != nil || r.RawResponse.StatusCode != want {
			t.Errorf("upsert: %v, want status %d", err, want)
		}
	}
	create(t, c, "A", item{"id": "a b:c|é"})
	readItem(t, c, pkA, "a b:c|é")
	_, err = c.DeleteItem(ctx, pkA, "1", nil)
	wantStatus(t, "delete", err, 0)
}

func testETags(t *testing.T, c *azcosmos.ContainerClient) {
	ctx := t.Context()
	old := create(t, c, "A", item{"id": "1"})
	_, err := c.ReplaceItem(ctx, pkA, "1", item{"id": "1", "pk": "A", "n": 2}.json(), &azcosmos.ItemOptions{IfMatchEtag: &old})
	wantStatus(t, "replace with the current etag", err, 0)
	stale := &azcosmos.ItemOptions{IfMatchEtag: &old}
	_, err = c.ReplaceItem(ctx, pkA, "1", item{"id": "1", "pk": "A"}.json(), stale)
	wantStatus(t, "replace with an old etag", err, 412)
	_, err = c.UpsertItem(ctx, pkA, item{"id": "1", "pk": "A"}.json(), stale)
	wantStatus(t, "upsert with an old etag", err, 412)
	_, err = c.DeleteItem(ctx, pkA, "1", stale)
	wantStatus(t, "delete with an old etag", err, 412)
	patch := azcosmos.PatchOperations{}
	patch.AppendSet("/n", 3)
	_, err = c.PatchItem(ctx, pkA, "1", patch, stale)
	wantStatus(t, "patch with an old etag", err, 412)
}

func testPartitions(t *testing.T, c *azcosmos.ContainerClient) {
	create(t, c, "A", item{"id": "1", "n": 1})
	create(t, c, "B", item{"id": "1", "n": 2})
	if n := readItem(t, c, pkB, "1")["n"]; n != 2.0 {
		t.Errorf("n = %v, want the other partition's 2", n)
	}
	_, err := c.ReadItem(t.Context(), azcosmos.NewPartitionKeyString("C"), "1", nil)
	wantStatus(t, "read in the wrong partition", err, 404)
	_, err = c.CreateItem(t.Context(), pkA, item{"id": "2", "pk": "B"}.json(), nil)
	wantStatus(t, "create in another partition than the item's", err, 400)
}

func testPatch(t *testing.T, c *azcosmos.ContainerClient) {
	create(t, c, "A", item{"id": "1", "n": 1, "state": "New"})
	patch := azcosmos.PatchOperations{}
	patch.SetCondition("FROM c WHERE c.state = 'New'")
	patch.AppendSet("/state", "done")
	patch.AppendIncrement("/n", 5)
	_, err := c.PatchItem(t.Context(), pkA, "1", patch, nil)
	wantStatus(t, "patch whose condition holds", err, 0)
	if i := readItem(t, c, pkA, "1"); i["state"] != "done" || i["n"] != 6.0 {
		t.Errorf("patched item = %v", i)
	}
	_, err = c.PatchItem(t.Context(), pkA, "1", patch, nil)
	wantStatus(t, "patch whose condition does not hold", err, 412)
	_, err = c.PatchItem(t.Context(), pkA, "missing", patch, nil)
	wantStatus(t, "patch of a missing item", err, 404)
}

func testBatch(t *testing.T, c *azcosmos.ContainerClient) {
	ctx := t.Context()
	old := create(t, c, "A", item{"id": "1", "n": 1})
	b := c.NewTransactionalBatch(pkA)
	b.CreateItem(item{"id": "2", "pk": "A"}.json(), nil)
	b.UpsertItem(item{"id": "3", "pk": "A"}.json(), nil)
	b.ReplaceItem("1", item{"id": "1", "pk": "A", "n": 2}.json(), &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &old})
	patch := azcosmos.PatchOperations{}
	patch.AppendSet("/n", 7)
	b.PatchItem("2", patch, nil)
	b.DeleteItem("3", nil)
	r, err := c.ExecuteTransactionalBatch(ctx, b, nil)
	if err != nil || !r.Success || len(r.OperationResults) != 5 {
		t.Fatalf("batch = %+v, %v", r, err)
	}
	if n := readItem(t, c, pkA, "2")["n"]; n != 7.0 {
		t.Errorf("n = %v after a patch in a batch, want 7", n)
	}
	b = c.NewTransactionalBatch(pkA)
	b.CreateItem(item{"id": "4", "pk": "A"}.json(), nil)
	b.ReplaceItem("1", item{"id": "1", "pk": "A"}.json(), &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &old})
	r, err = c.ExecuteTransactionalBatch(ctx, b, nil)
	if err != nil || r.Success || r.OperationResults[0].StatusCode != 424 || r.OperationResults[1].StatusCode != 412 {
		t.Errorf("batch with an old etag = %+v, %v; want 424 and 412", r.OperationResults, err)
	}
	_, err = c.ReadItem(ctx, pkA, "4", nil)
	wantStatus(t, "item of a batch that was rolled back", err, 404)
}

func fill(t *testing.T, c *azcosmos.ContainerClient) {
	t.Helper()
	for n := range 25 {
		create(t, c, fmt.Sprintf("q%d", n%3), item{"id": fmt.Sprintf("i%02d", n), "n": n, "tags": []string{fmt.Sprintf("t%d", n%2)}})
	}
}

// count runs a query to its end.
func count(ctx context.Context, c *azcosmos.ContainerClient, sql string, pk azcosmos.PartitionKey, o *azcosmos.QueryOptions) (n, pages int, err error) {
	pager := c.NewQueryItemsPager(sql, pk, o)
	for pager.More() && pages < 100 {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return n, pages, err
		}
		n += len(page.Items)
		pages++
	}
	return n, pages, nil
}

func testQueries(t *testing.T, c *azcosmos.ContainerClient) {
	fill(t, c)
	one, all := azcosmos.NewPartitionKeyString("q1"), azcosmos.NewPartitionKey()
	for _, q := range []struct {
		name, sql string
		pk        azcosmos.PartitionKey
		want      int
	}{
		{"one partition", "SELECT * FROM c", one, 8},
		{"one partition by parameter", "SELECT * FROM c WHERE c.n > @n", one, 4},
		{"all partitions", "SELECT * FROM c WHERE c.n >= 0", all, 25},
		{"order", "SELECT * FROM c ORDER BY c.n DESC", one, 8},
		{"top", "SELECT TOP 3 * FROM c", one, 3},
		{"count", "SELECT VALUE COUNT(1) FROM c", one, 1},
		{"in", "SELECT * FROM c WHERE c.n IN (1, 4, 5)", one, 2},
		{"array", "SELECT c.id FROM c WHERE ARRAY_CONTAINS(c.tags, 't1')", one, 4},
		{"prefix", "SELECT * FROM c WHERE STARTSWITH(c.id, 'i0')", one, 3},
	} {
		n, _, err := count(t.Context(), c, q.sql, q.pk, &azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@n", Value: 10}}})
		if err != nil || n != q.want {
			t.Errorf("%s: %d rows, %v; want %d", q.name, n, err, q.want)
		}
	}
	_, _, err := count(t.Context(), c, "SELEC nothing", one, nil)
	wantStatus(t, "bad SQL", err, 400)
}

func testPaging(t *testing.T, c *azcosmos.ContainerClient) {
	fill(t, c)
	pk := azcosmos.NewPartitionKeyString("q1")
	first, err := c.NewQueryItemsPager("SELECT * FROM c", pk, &azcosmos.QueryOptions{PageSizeHint: 3}).NextPage(t.Context())
	if err != nil || len(first.Items) != 3 || first.ContinuationToken == nil {
		t.Fatalf("first page = %d items, %v", len(first.Items), err)
	}
	rest, pages, err := count(t.Context(), c, "SELECT * FROM c", pk, &azcosmos.QueryOptions{PageSizeHint: 3, ContinuationToken: first.ContinuationToken})
	if err != nil || rest != 5 || pages != 2 {
		t.Errorf("the rest = %d items on %d pages, %v; want 5 on 2", rest, pages, err)
	}
}

func testLimits(t *testing.T, c *azcosmos.ContainerClient) {
	_, err := c.UpsertItem(t.Context(), pkA, item{"id": "1", "pk": "A", "v": strings.Repeat("x", 1<<20)}.json(), nil)
	wantStatus(t, "1 MiB item", err, 0)
	_, err = c.UpsertItem(t.Context(), pkA, item{"id": "2", "pk": "A", "v": strings.Repeat("x", 3<<20)}.json(), nil)
	wantStatus(t, "3 MiB item", err, 413)
	b := c.NewTransactionalBatch(pkA)
	for n := range 101 {
		b.CreateItem(item{"id": fmt.Sprint("b", n), "pk": "A"}.json(), nil)
	}
	_, err = c.ExecuteTransactionalBatch(t.Context(), b, nil)
	wantStatus(t, "batch of 101 operations", err, 400)
}

func testMany(t *testing.T, c *azcosmos.ContainerClient) {
	fill(t, c)
	r, err := c.ReadManyItems(t.Context(), []azcosmos.ItemIdentity{
		{ID: "i01", PartitionKey: azcosmos.NewPartitionKeyString("q1")},
		{ID: "i02", PartitionKey: azcosmos.NewPartitionKeyString("q2")},
		{ID: "none", PartitionKey: pkA},
	}, nil)
	if err != nil || len(r.Items) != 2 {
		t.Errorf("ReadManyItems = %d items, %v; want 2", len(r.Items), err)
	}
	ranges, err := c.ReadFeedRanges(t.Context(), nil)
	if err != nil || len(ranges) == 0 {
		t.Errorf("ReadFeedRanges = %d, %v", len(ranges), err)
	}
}

// testCounter: no update is lost when everybody replaces with the etag that was read.
func testCounter(t *testing.T, c *azcosmos.ContainerClient) {
	create(t, c, "A", item{"id": "counter", "n": 0})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for done := 0; done < 10; {
				r, err := c.ReadItem(t.Context(), pkA, "counter", nil)
				if err != nil {
					t.Error(err)
					return
				}
				var i item
				json.Unmarshal(r.Value, &i)
				i["n"] = i["n"].(float64) + 1
				if _, err := c.ReplaceItem(t.Context(), pkA, "counter", i.json(), &azcosmos.ItemOptions{IfMatchEtag: &r.ETag}); err == nil {
					done++
				}
			}
		})
	}
	all.Wait()
	if n := readItem(t, c, pkA, "counter")["n"]; n != 40.0 {
		t.Errorf("counter = %v after 40 increments", n)
	}
}

func testExpiry(t *testing.T, c *azcosmos.ContainerClient) {
	create(t, c, "A", item{"id": "1", "ttl": 1})
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		if _, err := c.ReadItem(t.Context(), pkA, "1", nil); err != nil {
			wantStatus(t, "read an expired item", err, 404)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("an item with a time to live of 1 s is there after 10 s")
}
