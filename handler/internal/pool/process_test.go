package pool_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/child/childtest"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/pool"
)

func TestMain(m *testing.M) {
	childtest.Dispatch()
	os.Exit(m.Run())
}

func newRunner(t testing.TB, o child.Options) *child.Runner {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Command, o.TempDir = []string{self, childtest.Argument}, t.TempDir()
	r := child.New(o)
	t.Cleanup(r.Close)
	return r
}

func instructions(t testing.TB, text string, limits job.Limits) job.Request {
	t.Helper()
	dir := t.TempDir()
	q := job.Request{Job: job.Job{ID: "d1", Limits: limits}, Input: filepath.Join(dir, "a.txt"), OutDir: filepath.Join(dir, "out")}
	if err := os.WriteFile(q.Input, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(q.OutDir, 0o755); err != nil {
		t.Fatal(err)
	}
	return q
}

var small = job.Limits{Memory: 192 * job.MiB, Timeout: time.Minute}

// TestEscalation: a document that needs more than its cap gets the whole budget, and both tries are on record.
func TestEscalation(t *testing.T) {
	p := pool.New(pool.Options{Machine: machine, Memory: 512 * job.MiB, Cap: small.Memory, SparesMax: -1}, newRunner(t, child.Options{}))
	defer p.Close()
	_, usage, err := p.Convert(t.Context(), instructions(t, "progress parse 9\nheap 220", small))
	if err != nil || len(usage.Attempts) != 1 || !usage.Alone || usage.PeakMemory < 220*job.MiB {
		t.Fatalf("err %v, usage %+v", err, usage)
	}
	if a := usage.Attempts[0]; a.Death != child.DeathMemory || a.Last.Page != 9 || a.PeakMemory == 0 {
		t.Errorf("first try = %+v", a)
	}
	_, usage, err = p.Convert(t.Context(), instructions(t, "heap 2000", small))
	if fault.KindOf(err) != fault.Memory || len(usage.Attempts) != 1 {
		t.Errorf("err %v, usage %+v", err, usage)
	}
	if st := p.Stats(); st.Retries != 2 || st.Deaths[child.DeathMemory] != 3 || st.Child.Started != 4 {
		t.Errorf("stats = %+v", st)
	}
}

// TestDrainKillsGroups: a real child that spins is gone after the drain.
func TestDrainKillsGroups(t *testing.T) {
	p := pool.New(pool.Options{Machine: machine, Cap: small.Memory, DrainTimeout: 200 * time.Millisecond}, newRunner(t, child.Options{}))
	end := make(chan error, 1)
	go func() {
		_, _, err := p.Convert(t.Context(), instructions(t, "spin", small))
		end <- err
	}()
	for p.Stats().Running == 0 {
		time.Sleep(time.Millisecond)
	}
	started := time.Now()
	if err := p.Drain(t.Context()); err != nil || time.Since(started) > 2*time.Second {
		t.Errorf("drain took %v, %v", time.Since(started), err)
	}
	if err := <-end; fault.KindOf(err) != fault.Interrupted {
		t.Errorf("the document ended with %v", err)
	}
}

// TestTogether: documents that wait share a process when they may, and each gets its own outcome.
func TestTogether(t *testing.T) {
	r := newRunner(t, child.Options{DocumentsPerProcess: 5})
	p := pool.New(pool.Options{Machine: machine, Slots: 1, Cap: small.Memory, DocumentsPerProcess: 5}, r)
	defer p.Close()
	var all sync.WaitGroup
	for i := range 11 {
		text, want := "text "+strconv.Itoa(i), fault.Kind("")
		if i == 5 {
			text, want = "fault corrupt", fault.Corrupt
		}
		q := instructions(t, text, small)
		all.Go(func() {
			_, _, err := p.Convert(t.Context(), q)
			content, _ := os.ReadFile(filepath.Join(q.OutDir, job.MarkdownFile))
			if fault.KindOf(err) != want || want == "" && string(content) != strconv.Itoa(i) {
				t.Errorf("document %d: %v, %q", i, err, content)
			}
		})
	}
	all.Wait()
	if started := r.Stats().Started; started > 5 {
		t.Errorf("%d processes for 11 documents, at most five each", started)
	}
}

// hostile documents and the kinds of fault that they may end with.
var hostile = map[string]fault.Kind{
	"heap 4096": fault.Memory, "panic": fault.Crash, "exit 3": fault.Crash, "kill SIGSEGV": fault.Crash,
	"overflow": fault.Crash, "rubbish": fault.Crash, "fault encrypted": fault.Encrypted, "stdout 100000000": fault.LimitOutput,
	"fill 512": fault.LimitDisk, "silent 1h": fault.NoProgress, "sleep 1h": fault.Timeout,
}

// TestChaos: one in five documents is hostile, and children are killed at random. Every document ends once and rightly,
// and no innocent one is failed.
func TestChaos(t *testing.T) {
	const documents = 45
	limits := job.Limits{Memory: 192 * job.MiB, Timeout: 12 * time.Second, NoProgress: 8 * time.Second, Disk: 64 * job.MiB} // a busy machine has time
	r := newRunner(t, child.Options{})
	p := pool.New(pool.Options{Machine: machine, Memory: 256 * job.MiB * 2, Cap: limits.Memory, Slots: 2, Waiting: documents, SparesMax: 1}, r)
	defer p.Close()
	random := rand.New(rand.NewPCG(1, 2))
	names := make([]string, 0, len(hostile))
	for name := range hostile {
		names = append(names, name)
	}
	stop := make(chan struct{})
	var killer, all sync.WaitGroup
	killer.Go(func() { killAtRandom(stop) })
	var mu sync.Mutex
	table := map[string]int{}
	for i := range documents {
		text, want := fmt.Sprintf("progress parse 1\nsleep 20ms\ntext %d", i), fault.Kind("")
		if i%5 == 4 {
			text = names[random.IntN(len(names))]
			want = hostile[text]
		}
		q := instructions(t, text, limits)
		all.Go(func() {
			_, usage, err := p.Convert(t.Context(), q)
			mu.Lock()
			defer mu.Unlock()
			table[strings.Fields(text)[0]+" → "+usage.Death]++
			unlucky := want != "" && usage.Death == child.DeathByHost // killed by the test in each of its tries
			if fault.KindOf(err) != want && !unlucky {
				t.Errorf("%q ended with %v after %+v, want %q", text, err, usage.Attempts, want)
			}
		})
	}
	all.Wait()
	close(stop)
	killer.Wait()
	for line, n := range table {
		t.Logf("%3d  %s", n, line)
	}
	t.Logf("deaths %v, retries %d", p.Stats().Deaths, p.Stats().Retries)
}

// killAtRandom kills a child of this process a few times a second, as the system would.
func killAtRandom(stop chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(400 * time.Millisecond):
		}
		for _, pid := range ownChildren() {
			if n++; n%3 == 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
		}
	}
}

// ownChildren lists the processes whose parent is this one.
func ownChildren() (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, pid)
		}
	}
	return pids
}
