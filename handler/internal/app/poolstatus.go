package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/config"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pool"
	"decant/handler/internal/server/api"
)

// maxReply bounds what is read of a handler's answer.
const maxReply = 4 * job.MiB

// instance is a running handler, as its API shows it.
type instance struct {
	Health api.HealthReport `json:"health"`
	Since  time.Time        `json:"since"`
	Queues map[string]int64 `json:"queues,omitempty"`
	Pool   pool.Stats       `json:"pool"`
}

// showPool prints what the pool of a running handler says of itself.
func showPool(c *cobra.Command, url string, asJSON bool) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if url == "" {
		r, ok := findRunning(set.Home)
		if !ok || r.Host == "" {
			return usage{errors.New("no service runs in this folder: start it with make start, or name one with --url (and its key in DECANT_API_KEY)")}
		}
		url = r.Host
	}
	found, err := askInstance(c.Context(), strings.TrimRight(url, "/"), set)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.OutOrStdout(), found)
	}
	return printPool(c.OutOrStdout(), found)
}

// askInstance reads the health and the statistics of one handler. Behind several instances, it is one of them that answers.
func askInstance(ctx context.Context, url string, set config.Config) (instance, error) {
	var found instance
	var stats api.StatsReport
	if err := ask(ctx, url+"/api/stats", set.Azure.APIKey, &stats); err != nil {
		return found, err
	}
	if err := ask(ctx, url+"/api/health", "", &found.Health); err != nil {
		return found, err
	}
	found.Since, found.Queues = stats.Since, stats.Queues
	if err := json.Unmarshal(stats.Detail, &found.Pool); err != nil {
		return found, fault.New(fault.Storage, url+" answers, but not as decant does. Is it the address of the service?", err)
	}
	return found, nil
}

// ask reads a JSON answer of the API. A handler that is not well answers its health with 503, and is shown all the same.
func ask(ctx context.Context, url string, key job.Secret, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return usage{fmt.Errorf("--url: %w", err)}
	}
	if key != "" {
		request.Header.Set("x-functions-key", string(key))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fault.New(fault.Storage, "The service cannot be reached at "+url+". Is it running, and is the address right?", err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK, http.StatusServiceUnavailable:
	case http.StatusUnauthorized, http.StatusForbidden:
		return fault.New(fault.Denied, url+" asks for a key: put a function key of the app into DECANT_API_KEY.", nil)
	default:
		return fault.New(fault.Storage, fmt.Sprintf("%s answers with %s. Is it the address of the service?", url, response.Status), nil)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxReply)).Decode(into); err != nil {
		return fault.New(fault.Storage, url+" answers, but not as decant does. Is it the address of the service?", err)
	}
	return nil
}

func printPool(w io.Writer, i instance) error {
	p, s := i.Pool, i.Pool.Sizing
	state := "ready"
	switch {
	case p.Draining:
		state = "draining"
	case !i.Health.OK:
		state = "not well: " + failing(i.Health.Checks)
	}
	rows := [][]string{
		{"handler", fmt.Sprintf("%s, %s, since %s", i.Health.Version, state, i.Since.Format(time.RFC3339))},
		{"locks", strings.Join(i.Health.Locks, ", ")},
		{"conversions", fmt.Sprintf("%d running of %d, %d waiting of %d, %d spares (%d to %d)", p.Running, s.Slots, p.Waiting, s.Waiting, p.Spares, s.SparesMin, s.SparesMax)},
		{"transfers", fmt.Sprintf("%d of %d", p.Transfers, s.Transfers)},
		{"memory", fmt.Sprintf("%d MiB of %d MiB given out, %d MiB each; %d MiB of input in work", p.Memory/job.MiB, s.Budget/job.MiB, s.Cap/job.MiB, p.Bytes/job.MiB)},
		{"busy", fmt.Sprintf("%.0f %% of 1 minute, %.0f %% of 5, %.0f %% of 15", 100*p.Utilisation["1m"], 100*p.Utilisation["5m"], 100*p.Utilisation["15m"])},
		{"documents", counted(p.Outcomes)},
		{"processes", fmt.Sprintf("%s; %d tries repeated", counted(p.Deaths), p.Retries)},
		{"peak memory", fmt.Sprintf("p50 %.0f MiB, p95 %.0f MiB, most %.0f MiB", p.PeakMemory.P50/float64(job.MiB), p.PeakMemory.P95/float64(job.MiB), p.PeakMemory.Max/float64(job.MiB))},
		{"queues", counted(i.Queues)},
	}
	if err := printColumns(w, rows); err != nil || len(p.Formats) == 0 {
		return err
	}
	fmt.Fprintln(w)
	rows = [][]string{{"FORMAT", "OK", "FAILED", "WAIT p50", "p95", "p99", "RUN p50", "p95", "p99"}}
	for _, name := range slices.Sorted(maps.Keys(p.Formats)) {
		f := p.Formats[name]
		rows = append(rows, []string{
			name, fmt.Sprint(f.OK), fmt.Sprint(f.Failed), precise(f.Wait.P50), precise(f.Wait.P95), precise(f.Wait.P99),
			precise(f.Run.P50), precise(f.Run.P95), precise(f.Run.P99),
		})
	}
	return printColumns(w, rows)
}

func precise(s float64) string { return fmt.Sprintf("%.3f s", s) }

// counted lists numbers by name, without those that are zero.
func counted(numbers map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if n := numbers[name]; n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, n))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func failing(checks map[string]bool) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(checks)) {
		if !checks[name] {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
