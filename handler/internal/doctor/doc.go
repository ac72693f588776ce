// Package doctor tries what decant needs, one thing at a time, on scratch names, and says what to do about what does not work:
// the settings, the containers, the queues with their encoding, the ledger, the clock, the sandbox, the memory cap. It converts
// nothing and leaves nothing behind but the empty queue decant-doctor.
//
// It also writes the log line about each queue's age, which the alert in infra/modules/alerts.bicep reads.
package doctor
