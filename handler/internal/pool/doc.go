// Package pool decides which document may be converted now, and knows what it cost.
//
// A document waits at the gate (gate.go) until there is a slot, memory and room for its bytes; it is refused as busy before any
// work is done when too many wait. Sizes come from the machine (machine_linux.go, size.go), and the host's batchSize and
// newBatchThreshold from the same numbers, so that in Azure nothing is refused. A document that dies of lack of memory or of a
// crash gets one more try alone with the whole budget (again.go). Transfers have slots of their own (transfer.go), so that a
// slow download does not hold up a conversion. Drain ends it all in time for a shutdown (drain.go). Spares come and go with load
// and memory pressure (spares.go). Stats and Registry tell what happened (stats.go, metrics.go).
package pool
