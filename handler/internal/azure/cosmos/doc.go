// Package cosmos is the ledger, and the batches' store, in Azure Cosmos DB.
//
// Container `documents`, partition key /documentId: a document's record (id = the document's id, type "document") and its
// chunk items (type "chunk") share a partition, so a record and its chunks change in one transactional batch that holds
// only while the record's ETag does. Container `batches`, partition key /batchId.
//
// Every query names its partition in the WHERE clause, except Store.List and Batches.Heads, which look at all of them:
// docs/decisions/lists-over-partitions.md says why, and what the gateway lets them ask for.
package cosmos
