package doctor

import (
	"context"
	"crypto/rand"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// Ledger creates, reads, replaces and deletes a scratch record.
func Ledger(store ledger.Store, now func() time.Time) Check {
	return Check{"ledger", func(ctx context.Context) Finding {
		const role = "Cosmos DB Built-in Data Contributor (a role of the account itself, not of the portal's access control)"
		src := job.Source{Container: "decant-doctor", Path: rand.Text()}
		r, err := store.Create(ctx, ledger.Record{DocumentID: src.ID(), Source: src, State: ledger.Cancelled, Updated: now().UTC()})
		if err != nil {
			return storageFailed("create a record", role, err)
		}
		if r, err = store.Load(ctx, r.DocumentID); err != nil {
			return storageFailed("read a record", role, err)
		}
		changed, err := store.Replace(ctx, r)
		if err != nil {
			return storageFailed("replace a record", role, err)
		}
		_, err = store.Replace(ctx, r)
		if fault.KindOf(err) != fault.Conflict {
			return failed("Report this.", "the ledger let an outdated write through: %v", err)
		}
		if err := store.Delete(ctx, changed); err != nil {
			return storageFailed("delete a record", role, err)
		}
		return fine("created, read, replaced, deleted; outdated writes are refused")
	}}
}
