package pool

import "github.com/prometheus/client_golang/prometheus"

// metrics are the counters and histograms that grow with each document.
type metrics struct {
	documents *prometheus.CounterVec
	deaths    *prometheus.CounterVec
	retries   prometheus.Counter
	wait, run *prometheus.HistogramVec
	peak      prometheus.Histogram
}

func newMetrics(r *prometheus.Registry) metrics {
	seconds := []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}
	m := metrics{
		documents: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "decant_documents_total", Help: "Documents by final outcome (ok or the kind of fault) and format."}, []string{"outcome", "format"}),
		deaths:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "decant_child_deaths_total", Help: "Ends of child processes by cause, retried ones included."}, []string{"death"}),
		retries:   prometheus.NewCounter(prometheus.CounterOpts{Name: "decant_retries_total", Help: "Documents that were tried again alone on the instance."}),
		wait:      prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "decant_wait_seconds", Help: "Time in the pool before the last try started.", Buckets: seconds}, []string{"format"}),
		run:       prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "decant_run_seconds", Help: "Wall time of the last try.", Buckets: seconds}, []string{"format"}),
		peak:      prometheus.NewHistogram(prometheus.HistogramOpts{Name: "decant_peak_memory_bytes", Help: "Largest resident set of a document's processes.", Buckets: prometheus.ExponentialBuckets(8<<20, 2, 10)}),
	}
	r.MustRegister(m.documents, m.deaths, m.retries, m.wait, m.run, m.peak)
	return m
}

// gauges are read from the pool when they are asked for.
type gauges struct{ p *Pool }

var gaugeTable = []struct {
	desc  *prometheus.Desc
	value func(Stats) float64
}{
	{prometheus.NewDesc("decant_slots", "Conversions that may run at once.", nil, nil), func(s Stats) float64 { return float64(s.Sizing.Slots) }},
	{prometheus.NewDesc("decant_running", "Conversions that run now.", nil, nil), func(s Stats) float64 { return float64(s.Running) }},
	{prometheus.NewDesc("decant_waiting", "Documents that wait for a slot.", nil, nil), func(s Stats) float64 { return float64(s.Waiting) }},
	{prometheus.NewDesc("decant_transfers", "Downloads and uploads that run now.", nil, nil), func(s Stats) float64 { return float64(s.Transfers) }},
	{prometheus.NewDesc("decant_spares", "Warm children that wait for a document.", nil, nil), func(s Stats) float64 { return float64(s.Spares) }},
	{prometheus.NewDesc("decant_bytes_in_flight", "Bytes of input being converted.", nil, nil), func(s Stats) float64 { return float64(s.Bytes) }},
	{prometheus.NewDesc("decant_memory_in_flight_bytes", "Sum of the caps of running children.", nil, nil), func(s Stats) float64 { return float64(s.Memory) }},
}

var utilisation = prometheus.NewDesc("decant_utilisation_ratio", "Busy share of the slots over a span of time.", []string{"span"}, nil)

// Describe implements prometheus.Collector.
func (gauges) Describe(out chan<- *prometheus.Desc) {
	for _, g := range gaugeTable {
		out <- g.desc
	}
	out <- utilisation
}

// Collect implements prometheus.Collector.
func (g gauges) Collect(out chan<- prometheus.Metric) {
	s := g.p.Stats()
	for _, row := range gaugeTable {
		out <- prometheus.MustNewConstMetric(row.desc, prometheus.GaugeValue, row.value(s))
	}
	for span, share := range s.Utilisation {
		out <- prometheus.MustNewConstMetric(utilisation, prometheus.GaugeValue, share, span)
	}
}
