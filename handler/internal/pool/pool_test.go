package pool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pool"
)

// converter runs a function instead of a process, to test who may run when.
type converter func(context.Context, job.Request) (job.Result, job.Usage, error)

func (c converter) Convert(ctx context.Context, q job.Request) (job.Result, job.Usage, error) {
	return c(ctx, q)
}

var machine = pool.Machine{Cores: 4, Memory: 16 * job.GiB}

func document(t testing.TB, size int) job.Request {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(name, make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
	return job.Request{Input: name}
}

// meter counts how many conversions run at once.
type meter struct{ now, most atomic.Int64 }

func (m *meter) enter() func() {
	n := m.now.Add(1)
	for {
		old := m.most.Load()
		if n <= old || m.most.CompareAndSwap(old, n) {
			return func() { m.now.Add(-1) }
		}
	}
}

func TestSlots(t *testing.T) {
	tests := []struct {
		name    string
		options pool.Options
		size    int // bytes of each document
		want    int64
	}{
		{"cores", pool.Options{Machine: machine}, 10, 4},
		{"configured", pool.Options{Machine: machine, Slots: 3}, 10, 3},
		{"memory", pool.Options{Machine: pool.Machine{Cores: 8, Memory: 3 * job.GiB}}, 10, 2},
		{"never none", pool.Options{Machine: pool.Machine{Cores: 1, Memory: 300 * job.MiB}}, 10, 1},
		{"bytes in flight", pool.Options{Machine: machine, BytesInFlight: 250}, 100, 2},
		{"one larger than all bytes in flight", pool.Options{Machine: machine, BytesInFlight: 50}, 100, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := document(t, test.size)
			synctest.Test(t, func(t *testing.T) {
				var m meter
				p := pool.New(test.options, converter(func(context.Context, job.Request) (job.Result, job.Usage, error) {
					defer m.enter()()
					time.Sleep(time.Second)
					return job.Result{Format: "text"}, job.Usage{Death: child.DeathOK}, nil
				}))
				var all sync.WaitGroup
				for range 12 {
					all.Go(func() {
						if _, _, err := p.Convert(t.Context(), q); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				if got := m.most.Load(); got != test.want {
					t.Errorf("%d ran at once, want %d", got, test.want)
				}
				if st := p.Stats(); st.Outcomes["ok"] != 12 || st.Running != 0 || st.Waiting != 0 {
					t.Errorf("stats = %+v", st)
				}
				_ = p.Close()
			})
		})
	}
}

// TestSizing: what the host may send never exceeds what may run and wait.
func TestSizing(t *testing.T) {
	for _, m := range []pool.Machine{{Cores: 1, Memory: job.GiB}, {Cores: 2, Memory: 4 * job.GiB}, {Cores: 4, Memory: 16 * job.GiB}, {Cores: 64, Memory: 256 * job.GiB}} {
		for _, waiting := range []int{0, 1, 100} {
			s := pool.Size(pool.Options{Waiting: waiting}, m)
			if s.BatchSize < 1 || s.BatchSize > 32 || s.NewBatchThreshold < 0 || s.BatchSize+s.NewBatchThreshold > s.Slots+s.Waiting {
				t.Errorf("%+v, waiting %d: %+v", m, waiting, s)
			}
		}
	}
	got := pool.Size(pool.Options{}, pool.Machine{Cores: 2, Memory: 4 * job.GiB})
	if got.Slots != 2 || got.BatchSize != 2 || got.NewBatchThreshold != 1 || got.Cap != job.GiB {
		t.Errorf("2 cores, 4 GiB: %+v", got)
	}
}

// TestBusy: the document over the limit is refused before anything is done for it; the others are not.
func TestBusy(t *testing.T) {
	q := document(t, 1)
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(pool.Options{Machine: machine, Slots: 1, Waiting: 2}, sleeper(time.Second))
		var busy, ok atomic.Int64
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				switch _, usage, err := p.Convert(t.Context(), q); {
				case fault.KindOf(err) == fault.Busy && usage.Wall == 0:
					busy.Add(1)
				case err == nil:
					ok.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if !p.Busy() || p.Stats().Waiting != 2 {
			t.Errorf("busy = %v, stats %+v", p.Busy(), p.Stats())
		}
		all.Wait()
		if busy.Load() != 2 || ok.Load() != 3 {
			t.Errorf("%d busy, %d ok, want 2 and 3", busy.Load(), ok.Load())
		}
		_ = p.Close()
	})
}

func sleeper(d time.Duration) converter {
	return func(ctx context.Context, _ job.Request) (job.Result, job.Usage, error) {
		select {
		case <-time.After(d):
			return job.Result{Format: "text"}, job.Usage{Death: child.DeathOK, Wall: d, PeakMemory: 10 * job.MiB}, nil
		case <-ctx.Done():
			return job.Result{}, job.Usage{Death: child.DeathCancelled}, fault.From(context.Cause(ctx))
		}
	}
}

// TestMaxWait: waiting is bounded in time, too, and a cancelled document leaves the queue.
func TestMaxWait(t *testing.T) {
	q := document(t, 1)
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(pool.Options{Machine: machine, Slots: 1, MaxWait: 3 * time.Second}, sleeper(time.Minute))
		go func() { _, _, _ = p.Convert(t.Context(), q) }()
		synctest.Wait()
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { time.Sleep(time.Second); cancel(fault.New(fault.Cancelled, "By ada.", nil)) }()
		if _, usage, err := p.Convert(ctx, q); fault.KindOf(err) != fault.Cancelled || usage.Wait != time.Second {
			t.Errorf("cancelled while waiting = %v after %v", err, usage.Wait)
		}
		if _, _, err := p.Convert(t.Context(), q); fault.KindOf(err) != fault.Busy {
			t.Errorf("waited too long = %v", err)
		}
		_ = p.Close()
	})
}

// TestAgain: who is tried again, how, and what the final answer is.
func TestAgain(t *testing.T) {
	memory, crash := fault.New(fault.Memory, "", nil), fault.New(fault.Crash, "", nil)
	corrupt, killed := fault.New(fault.Corrupt, "", nil), fault.New(fault.Interrupted, "", nil)
	tests := []struct {
		name   string
		tries  []error // what each try gives
		deaths []string
		want   fault.Kind
		calls  int
	}{
		{"memory, then enough", []error{memory, nil}, []string{child.DeathMemory, child.DeathOK}, "", 2},
		{"memory twice is final", []error{memory, memory, nil}, []string{child.DeathMemory, child.DeathMemory, child.DeathOK}, fault.Memory, 2},
		{"crash twice is final", []error{crash, crash, nil}, []string{child.DeathCrash, child.DeathCrash, child.DeathOK}, fault.Crash, 2},
		{"a refusal is final", []error{corrupt, nil}, []string{child.DeathRefused, child.DeathOK}, fault.Corrupt, 1},
		{"killed from outside, then fine", []error{killed, nil}, []string{child.DeathByHost, child.DeathOK}, "", 2},
		{"killed from outside twice, then fine", []error{killed, killed, nil}, []string{child.DeathByHost, child.DeathByHost, child.DeathOK}, "", 3},
		{"killed from outside each time", []error{killed, killed, killed, nil}, []string{child.DeathByHost, child.DeathByHost, child.DeathByHost, child.DeathOK}, fault.Crash, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			calls := 0
			p := pool.New(pool.Options{Machine: machine}, converter(func(_ context.Context, q job.Request) (job.Result, job.Usage, error) {
				i := calls
				calls++
				if q.Alone != (i > 0) || (q.Job.Limits.Memory > job.GiB) != (i > 0) {
					t.Errorf("try %d: alone %v, memory %d", i, q.Alone, q.Job.Limits.Memory)
				}
				return job.Result{}, job.Usage{Death: test.deaths[i]}, test.tries[i]
			}))
			defer p.Close()
			_, usage, err := p.Convert(t.Context(), document(t, 1))
			if fault.KindOf(err) != test.want || calls != test.calls || len(usage.Attempts) != calls-1 {
				t.Errorf("kind %q after %d calls with %d attempts recorded, want %q after %d", fault.KindOf(err), calls, len(usage.Attempts), test.want, test.calls)
			}
		})
	}
}

// TestAlone: while a document runs alone nothing else does, and those that came before it are not disturbed.
func TestAlone(t *testing.T) {
	q := document(t, 1)
	synctest.Test(t, func(t *testing.T) {
		var m meter
		p := pool.New(pool.Options{Machine: machine}, converter(func(_ context.Context, q job.Request) (job.Result, job.Usage, error) {
			defer m.enter()()
			time.Sleep(time.Second)
			if n := m.now.Load(); q.Alone && n != 1 {
				t.Errorf("%d run beside one that must be alone", n-1)
			}
			return job.Result{}, job.Usage{}, nil
		}))
		var all sync.WaitGroup
		for i := range 12 {
			q := q
			q.Alone = i%4 == 2
			all.Go(func() { _, _, _ = p.Convert(t.Context(), q) })
		}
		all.Wait()
		_ = p.Close()
	})
}

// TestDrain: what runs gets its time, what waits and what comes is interrupted, and the rest is killed.
func TestDrain(t *testing.T) {
	q := document(t, 1)
	for _, test := range []struct {
		name string
		work time.Duration
		took time.Duration
		want string
	}{
		{"done in time", 10 * time.Second, 10 * time.Second, "ok interrupted"},
		{"killed", time.Hour, 25 * time.Second, "interrupted interrupted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := pool.New(pool.Options{Machine: machine, Slots: 1}, sleeper(test.work))
				ends := make([]string, 2)
				var all sync.WaitGroup
				for i := range ends {
					all.Go(func() {
						_, _, err := p.Convert(t.Context(), q)
						ends[i] = string(fault.KindOf(err))
						if err == nil {
							ends[i] = "ok"
						}
					})
					synctest.Wait()
				}
				started := time.Now()
				if err := p.Drain(t.Context()); err != nil {
					t.Error(err)
				}
				if took := time.Since(started); took != test.took {
					t.Errorf("drain took %v, want %v", took, test.took)
				}
				all.Wait()
				if got := ends[0] + " " + ends[1]; got != test.want {
					t.Errorf("ends = %s, want %s", got, test.want)
				}
				if _, _, err := p.Convert(t.Context(), q); fault.KindOf(err) != fault.Interrupted {
					t.Errorf("after the drain = %v", err)
				}
			})
		})
	}
}

// TestTransfers: transfers have slots of their own.
func TestTransfers(t *testing.T) {
	p := pool.New(pool.Options{Machine: machine, Transfers: 1}, sleeper(0))
	defer p.Close()
	release, err := p.Transfer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := p.Transfer(ctx); err == nil {
		t.Error("two transfers at once")
	}
	if _, _, err := p.Convert(t.Context(), document(t, 1)); err != nil {
		t.Errorf("a transfer holds up a conversion: %v", err)
	}
	release()
	if _, err := p.Transfer(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestStats: the numbers are exact.
func TestStats(t *testing.T) {
	q := document(t, 1)
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(pool.Options{Machine: machine, Slots: 2}, sleeper(30*time.Second))
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { _, _, _ = p.Convert(t.Context(), q) })
		}
		all.Wait() // two ran 0-30 s, one 30-60 s: 90 of 120 slot-seconds
		st := p.Stats()
		want := pool.FormatStats{OK: 3,
			Wait: pool.Quantiles{Count: 3, P50: 0, P95: 30, P99: 30, Max: 30},
			Run:  pool.Quantiles{Count: 3, P50: 30, P95: 30, P99: 30, Max: 30}}
		if diff := cmp.Diff(want, st.Formats["text"]); diff != "" {
			t.Error(diff)
		}
		if u := st.Utilisation["1m"]; u != 0.75 {
			t.Errorf("utilisation = %v, want 0.75", u)
		}
		time.Sleep(4 * time.Minute)
		if u := fmt.Sprintf("%.2f %.2f", p.Stats().Utilisation["1m"], p.Stats().Utilisation["5m"]); u != "0.00 0.15" {
			t.Errorf("utilisation after four idle minutes = %s", u)
		}
		if st.Deaths["ok"] != 3 || st.PeakMemory.P50 != float64(10*job.MiB) {
			t.Errorf("stats = %+v", st)
		}
		families, err := p.Registry().Gather()
		if err != nil || len(families) < 10 {
			t.Errorf("%d metrics, %v", len(families), err)
		}
		_ = p.Close()
	})
}
