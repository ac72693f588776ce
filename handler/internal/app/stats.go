package app

import (
	"context"
	"encoding/json"
	"time"

	"decant/handler/internal/pool"
	"decant/handler/internal/server/api"
)

// stats answers /api/stats.
type stats struct {
	cloud   *cloud
	workers *workers
	since   time.Time
}

func (s *stats) Read(ctx context.Context) (api.StatsReport, error) {
	p := s.workers.Stats()
	detail, err := json.Marshal(p)
	if err != nil {
		return api.StatsReport{}, err
	}
	report := api.StatsReport{
		Since: s.since, Documents: map[string]int64{}, Faults: map[string]int64{}, Formats: map[string]int64{},
		Queues: s.queues(ctx), Pool: poolOf(p), Detail: detail,
	}
	for outcome, n := range p.Outcomes {
		if outcome == "ok" {
			report.Documents["succeeded"] = n
			continue
		}
		report.Documents["failed"] += n
		report.Faults[outcome] = n
	}
	for name, f := range p.Formats {
		report.Formats[name] = f.OK + f.Failed
	}
	return report, nil
}

// queues gives about how many messages wait; a queue that cannot be asked is left out.
func (s *stats) queues(ctx context.Context) map[string]int64 {
	lengths := map[string]int64{}
	a := s.cloud.settings
	for _, name := range []string{a.Conversions, a.ConversionsBulk, a.Conversions + poisonSuffix, a.ConversionsBulk + poisonSuffix} {
		if n, err := s.cloud.queues.Length(ctx, name); err == nil {
			lengths[name] = n
		}
	}
	return lengths
}

func poolOf(p pool.Stats) *api.Pool {
	return &api.Pool{
		Slots: p.Sizing.Slots, Running: p.Running, Waiting: p.Waiting, MemoryBudget: p.Sizing.Budget, MemoryUsed: p.Memory, Draining: p.Draining,
	}
}
