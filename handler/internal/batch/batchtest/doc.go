// Package batchtest is the suite that every batch.Store passes, on a bench with a pipeline and queues in memory.
package batchtest
