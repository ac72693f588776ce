package pool

import (
	"path"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// maxFormats bounds the number of formats that are told apart, as their names come from children and file names.
const maxFormats = 64

// Stats is what /api/stats and `decant status --pool` show. Durations are in seconds, sizes in bytes.
type Stats struct {
	Sizing      Sizing                 `json:"sizing"`
	Running     int                    `json:"running"`
	Waiting     int                    `json:"waiting"`
	Transfers   int                    `json:"transfers"`
	Spares      int                    `json:"spares"`
	Bytes       int64                  `json:"bytesInFlight"`
	Memory      int64                  `json:"memoryInFlight"` // sum of the caps of what runs
	Draining    bool                   `json:"draining"`
	Utilisation map[string]float64     `json:"utilisation"` // busy share of the slots over 1m, 5m, 15m
	Outcomes    map[string]int64       `json:"outcomes"`    // "ok" or the fault's kind
	Formats     map[string]FormatStats `json:"formats"`
	Deaths      map[string]int64       `json:"deaths"` // of processes, tries that were repeated included
	Retries     int64                  `json:"retries"`
	PeakMemory  Quantiles              `json:"peakMemory"`
	Child       *child.Stats           `json:"child,omitempty"`
}

// FormatStats are the numbers of one format.
type FormatStats struct {
	OK     int64     `json:"ok"`
	Failed int64     `json:"failed"`
	Wait   Quantiles `json:"wait"` // seconds
	Run    Quantiles `json:"run"`  // seconds
}

// statistics collects; everything is under one lock, taken twice a document.
type statistics struct {
	mu       sync.Mutex
	busy     *usage
	outcomes map[string]int64
	formats  map[string]*formatSamples
	deaths   map[string]int64
	peaks    sample
	retries  prometheus.Counter
	repeated int64
	registry *prometheus.Registry
	metrics  metrics
}

type formatSamples struct {
	ok, failed int64
	wait, run  sample
}

func newStatistics(slots int, now func() time.Time) *statistics {
	s := &statistics{busy: newUsage(slots, now), outcomes: map[string]int64{}, formats: map[string]*formatSamples{}, deaths: map[string]int64{}}
	s.registry = prometheus.NewRegistry()
	s.metrics = newMetrics(s.registry)
	s.retries = s.metrics.retries
	return s
}

// death counts how a process ended.
func (s *statistics) death(u job.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaths[u.Death]++
	s.metrics.deaths.WithLabelValues(u.Death).Inc()
}

// finish counts a document's final outcome.
func (s *statistics) finish(format string, o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := "ok"
	if o.err != nil {
		name = string(fault.KindOf(o.err))
	}
	s.outcomes[name]++
	s.repeated += int64(len(o.usage.Attempts))
	f, format := s.format(format)
	if o.err == nil {
		f.ok++
	} else {
		f.failed++
	}
	s.metrics.documents.WithLabelValues(name, format).Inc()
	s.metrics.wait.WithLabelValues(format).Observe(o.usage.Wait.Seconds())
	f.wait.add(o.usage.Wait.Seconds())
	if o.usage.Wall > 0 {
		s.metrics.run.WithLabelValues(format).Observe(o.usage.Wall.Seconds())
		f.run.add(o.usage.Wall.Seconds())
	}
	if o.usage.PeakMemory > 0 {
		s.metrics.peak.Observe(float64(o.usage.PeakMemory))
		s.peaks.add(float64(o.usage.PeakMemory))
	}
}

func (s *statistics) format(name string) (*formatSamples, string) {
	if f, known := s.formats[name]; known {
		return f, name
	}
	if len(s.formats) >= maxFormats {
		name = "other"
	}
	if s.formats[name] == nil {
		s.formats[name] = &formatSamples{}
	}
	return s.formats[name], name
}

// formatOf is the detected format, or what the file's name says when nothing was detected.
func formatOf(q job.Request, r job.Result) string {
	if r.Format != "" {
		return clean(r.Format)
	}
	name := q.Job.Source.Path
	if name == "" {
		name = q.Input
	}
	return clean(strings.TrimPrefix(path.Ext(name), "."))
}

// clean makes a label out of a name that is not trusted.
func clean(name string) string {
	name = strings.ToLower(name)
	odd := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '+' })
	if name == "" || len(name) > 16 || odd >= 0 {
		return "unknown"
	}
	return name
}

// Stats gives the numbers of this moment.
func (p *Pool) Stats() Stats {
	st := Stats{Sizing: p.size, Transfers: len(p.transfers), Draining: p.drain.begun()}
	st.Running, st.Waiting, st.Bytes, st.Memory = p.gate.load()
	if sparer, ok := p.converter.(Sparer); ok {
		st.Spares = sparer.Spares()
	}
	if teller, ok := p.converter.(interface{ Stats() child.Stats }); ok {
		c := teller.Stats()
		st.Child = &c
	}
	st.Utilisation = map[string]float64{}
	for name, span := range spans {
		st.Utilisation[name] = p.stats.busy.share(span)
	}
	p.stats.copyTo(&st)
	return st
}

var spans = map[string]time.Duration{"1m": time.Minute, "5m": 5 * time.Minute, "15m": 15 * time.Minute}

func (s *statistics) copyTo(st *Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st.Outcomes, st.Deaths, st.Formats = map[string]int64{}, map[string]int64{}, map[string]FormatStats{}
	for k, v := range s.outcomes {
		st.Outcomes[k] = v
	}
	for k, v := range s.deaths {
		st.Deaths[k] = v
	}
	for k, f := range s.formats {
		st.Formats[k] = FormatStats{OK: f.ok, Failed: f.failed, Wait: f.wait.quantiles(), Run: f.run.quantiles()}
	}
	st.Retries, st.PeakMemory = s.repeated, s.peaks.quantiles()
}
