package app

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

var (
	chaosDocuments = flag.Int("chaos", 40, "documents of the chaos run")
	chaosSeed      = flag.Uint64("seed", 0, "seed of the chaos run; 0 is a new one")
)

// chaosTime bounds the run, from the first document to the last state.
const chaosTime = 140 * time.Second

// guest is a document of the chaos run.
type guest struct {
	name, file string
	marker     string     // must be in its Markdown, and in no other's
	bad        *hostility // nil for an innocent one
}

// TestChaos is decant on its worst day: one document in five is hostile, and children and the handler are killed at random, behind
// the stand-in host, Azurite and the Cosmos emulator. Every document must end in the one right state; no innocent one may fail,
// get lost or show another's text, and nothing may stay behind.
func TestChaos(t *testing.T) {
	seed := *chaosSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d: repeat with -chaos %d -seed %d", seed, *chaosDocuments, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	cloud, host := startChaos(t)
	guests := inviteGuests(t, random, *chaosDocuments)

	ctx, cancel := context.WithTimeout(t.Context(), chaosTime)
	defer cancel()
	storm := startStorm(ctx, host, random, max(1, *chaosDocuments/100))
	started := time.Now()
	must(t, deliverAll(ctx, cloud, guests))
	records := awaitAll(ctx, cloud, host, guests)
	storm.stop()
	took := time.Since(started)
	records = settle(t, cloud, guests, records)

	summary := newSummary(storm)
	var checks errgroup.Group
	checks.SetLimit(4)
	problems := make([]string, len(guests))
	for i, g := range guests {
		r, known := records[sourceOf(cloud, g.name).ID()]
		checks.Go(func() error {
			problems[i] = verdict(t.Context(), cloud, g, r, known)
			return nil
		})
	}
	_ = checks.Wait() // the functions return no errors
	if n := len(guests) - ended(records); n > 0 {
		t.Errorf("%d documents had not ended after %s: the machine is too slow or busy for so many, or something hangs", n, chaosTime)
	}
	for i, g := range guests {
		r := records[sourceOf(cloud, g.name).ID()]
		summary.add(g, r, problems[i])
		if problems[i] != "" && (r.State == "" || r.State.Terminal()) {
			t.Errorf("%s: %s", g.name, problems[i])
		}
	}
	must(t, host.Stop())
	for _, left := range leftBehind() {
		t.Errorf("left behind: %s", left)
	}
	t.Logf("%d documents in %.1f s\n%s", len(guests), took.Seconds(), summary)
}

// startChaos starts emulators and the host with this test binary as the handler: its children know hostile documents.
func startChaos(t *testing.T) (*cloud, *azfunctest.Host) {
	t.Helper()
	storage, db := bothEmulators(t)
	settings := settingsFor(t, storage.ConnectionString(), db.ConnectionString())
	cloud := prepared(t, settings)

	dist := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dist, binaryName), nil, 0o755)) // what stage looks for; the handler is this binary
	must(t, stage(repository, dist))
	exe, err := os.Executable()
	must(t, err)
	environment := append(hostEnvironment(t, settings),
		"DECANT_TEST_COMMAND=1", "DECANT_MEMORY=256MiB", "DECANT_MEMORY_BUDGET=640MiB", "DECANT_JOBS=2", "DECANT_SPARES=0", "DECANT_LEASE=10s",
		"AzureFunctionsJobHost__customHandler__description__defaultExecutablePath="+exe,
		"AzureFunctionsJobHost__extensions__queues__maxDequeueCount=10",
		"AzureFunctionsJobHost__extensions__queues__batchSize=8",
		"AzureFunctionsJobHost__extensions__queues__newBatchThreshold=4",
	)
	host, err := azfunctest.Start(context.WithoutCancel(t.Context()), azfunctest.Options{
		Dir: dist, Queues: cloud.queues.ForHost(), Environ: environment, NoSchedule: true,
		// The platform starts a host again that gave up after three crashes; this one must not count them.
		Times: azfunctest.Times{ErrorWindow: time.Nanosecond},
		Observe: func(e azfunctest.Event) {
			if e.Kind == azfunctest.HandlerLine && strings.Contains(e.Text, `"ERROR"`) {
				t.Logf("handler: %s", e.Text)
			}
		},
	})
	must(t, err)
	t.Cleanup(host.Crash)
	return cloud, host
}

// inviteGuests makes n documents in random order, one in five hostile, each innocent one with a text of its own.
func inviteGuests(t *testing.T, random *rand.Rand, n int) []guest {
	t.Helper()
	dir := t.TempDir()
	var guests []guest
	heavy := 0
	for i := range n {
		g := guest{marker: fmt.Sprintf("guest%04dmarker", i)}
		text := ""
		if i%5 == 0 {
			for g.bad == nil || g.bad.heavy && heavy > n/100 {
				g.bad = &hostilities[random.IntN(len(hostilities))]
			}
			heavy += boolToInt(g.bad.heavy)
			g.name, text = fmt.Sprintf("doc%04d%s", i, hostileSuffix), g.bad.text
		} else {
			kind := innocents[random.IntN(len(innocents))]
			g.name, text = fmt.Sprintf("doc%04d%s", i, kind.ext), fmt.Sprintf(kind.text, g.marker)
		}
		g.file = filepath.Join(dir, g.name)
		must(t, os.WriteFile(g.file, []byte(text), 0o600))
		guests = append(guests, g)
	}
	random.Shuffle(len(guests), func(i, j int) { guests[i], guests[j] = guests[j], guests[i] })
	return guests
}

var innocents = []struct{ ext, text string }{
	{".md", "# Tides\n\nHigh water at noon, %s.\n"},
	{".csv", "gauge,level\n%s,3.2\nnorth,2.9\n"},
	{".html", "<!doctype html><html><head><title>Tides</title></head><body><h1>Tides</h1><p>High water: %s</p></body></html>"},
	{".txt", "A plain text about tides. Its word is %s, and it ends here.\n"},
	{".json", `{"gauge": "%s", "level": 3.2}`},
	{".eml", "From: ada@example.org\r\nTo: ines@example.org\r\nSubject: Tides\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\nContent-Type: text/plain\r\n\r\nThe word is %s.\r\n"},
}

func sourceOf(c *cloud, name string) job.Source {
	return job.Source{Account: c.blobs.Account(), Container: c.settings.Documents, Path: name}
}

// deliverAll uploads every document and sends its message.
func deliverAll(ctx context.Context, c *cloud, guests []guest) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for _, g := range guests {
		group.Go(func() error {
			src, err := c.upload(ctx, input{path: g.file, name: g.name}, g.name)
			if err != nil {
				return err
			}
			j := job.Job{ID: src.ID(), Source: src, Enqueued: time.Now()}
			if g.bad != nil {
				j.Limits = g.bad.limits
			}
			if _, _, err := c.ledger.Enqueue(ctx, j); err != nil {
				return err
			}
			return c.enqueue(ctx, &event.Convert{Job: j})
		})
	}
	return group.Wait()
}

// awaitAll looks at the ledger until every document has ended or the time is over, and lets the sweeper run as its timer would.
func awaitAll(ctx context.Context, c *cloud, host *azfunctest.Host, guests []guest) map[job.ID]ledger.Record {
	var records map[job.ID]ledger.Record
	swept := time.Now()
	for {
		if time.Since(swept) > 5*time.Second {
			_ = host.RunTimer(ctx, "sweep") // the handler may be killed in it
			swept = time.Now()
		}
		if now, err := listAll(ctx, c); err == nil {
			records = now
		}
		if ended(records) == len(guests) || !sleep(ctx, 500*time.Millisecond) {
			return records
		}
	}
}

func ended(records map[job.ID]ledger.Record) (n int) {
	for _, r := range records {
		if r.State.Terminal() {
			n++
		}
	}
	return n
}

func listAll(ctx context.Context, c *cloud) (map[job.ID]ledger.Record, error) {
	records := map[job.ID]ledger.Record{}
	for q := (ledger.Query{Limit: 200}); ; {
		page, err := c.ledger.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Records {
			records[r.DocumentID] = r
		}
		if q.After = page.Next; q.After == "" {
			return records, nil
		}
	}
}

// settle waits until the queues are empty, and then holds every document to the state that it had: an end is an end.
func settle(t *testing.T, c *cloud, guests []guest, before map[job.ID]ledger.Record) map[job.ID]ledger.Record {
	t.Helper()
	a := c.settings
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); sleep(t.Context(), 200*time.Millisecond) {
		if n, err := c.queues.Length(t.Context(), a.Conversions); err == nil && n == 0 {
			break
		}
	}
	for _, name := range []string{a.Conversions, a.Conversions + poisonSuffix} {
		if ended(before) < len(guests) && name == a.Conversions {
			continue
		}
		if n, err := c.queues.Length(t.Context(), name); err != nil || n != 0 {
			t.Errorf("queue %s: %d messages are left, %v", name, n, err)
		}
	}
	records, err := listAll(t.Context(), c)
	must(t, err)
	for id, r := range records {
		if was := before[id]; was.State.Terminal() && was.State != r.State {
			t.Errorf("%s: ended as %s, and is %s now", r.Source.Path, was.State, r.State)
		}
	}
	if len(records) != len(guests) {
		t.Errorf("%d records for %d documents", len(records), len(guests))
	}
	return records
}

// verdict says what is wrong with how a document ended; empty when it is right.
func verdict(ctx context.Context, c *cloud, g guest, r ledger.Record, known bool) string {
	m, err := c.sink.Manifest(ctx, sourceOf(c, g.name))
	switch {
	case !known:
		return "lost: there is no record"
	case !r.State.Terminal():
		return "has not ended"
	case g.bad != nil && (r.State != ledger.Failed || r.Cause == nil || r.Cause.Kind != g.bad.kind):
		return fmt.Sprintf("%s: state %s (%+v), want failed because of %s", g.bad.name, r.State, r.Cause, g.bad.kind)
	case g.bad != nil && fault.KindOf(err) != fault.NotFound:
		return fmt.Sprintf("a failed document has results: %+v, %v", m, err)
	case g.bad != nil:
		return ""
	case r.State != ledger.Succeeded:
		return fmt.Sprintf("an innocent document is %s (%+v), attempts %+v", r.State, r.Cause, r.Attempts)
	case err != nil:
		return fmt.Sprintf("an innocent document has no results: %v", err)
	}
	f, _ := m.File(job.MarkdownFile)
	body, err := c.sink.Open(ctx, r.Source, f.Path)
	if err != nil {
		return fmt.Sprintf("its Markdown cannot be read: %v", err)
	}
	defer body.Close()
	if text, err := io.ReadAll(body); err != nil || !strings.Contains(string(text), g.marker) {
		return fmt.Sprintf("its Markdown is not its own: %.200q, %v", text, err)
	}
	return ""
}
