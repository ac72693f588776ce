package app

import (
	"context"
	"sync"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/server/api"
)

// health answers /api/health. What it finds is kept for a moment: the platform and load balancers ask all the time.
type health struct {
	cloud   *cloud
	workers *workers

	locks  []string // that held when the handler started
	mu     sync.Mutex
	checks map[string]bool
	asked  time.Time
}

const (
	healthFor  = 5 * time.Second
	healthTime = 3 * time.Second // of one check
)

func (h *health) Check(ctx context.Context) api.HealthReport {
	report := api.HealthReport{OK: true, Version: version, Locks: h.locks, Checks: h.reach(ctx), Pool: poolOf(h.workers.Stats())}
	for _, ok := range report.Checks {
		report.OK = report.OK && ok
	}
	report.OK = report.OK && !report.Pool.Draining
	return report
}

// reach asks storage, queue and ledger for something that does not exist: an orderly no is an answer.
func (h *health) reach(ctx context.Context) map[string]bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.asked) < healthFor {
		return h.checks
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	nothing := job.Source{Account: h.cloud.blobs.Account(), Container: h.cloud.settings.Documents, Path: ".health"}
	_, storage := h.cloud.files.Stat(ctx, nothing)
	_, ledger := h.cloud.ledger.Load(ctx, nothing.ID())
	_, queue := h.cloud.queues.Length(ctx, h.cloud.settings.Conversions)
	h.checks = map[string]bool{"storage": answered(storage), "ledger": answered(ledger), "queue": answered(queue)}
	h.asked = time.Now()
	return h.checks
}

func answered(err error) bool {
	kind := fault.KindOf(err)
	return kind == "" || kind == fault.Gone || kind == fault.NotFound
}
