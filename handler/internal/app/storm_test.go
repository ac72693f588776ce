package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/ledger"
)

// storm kills the handler's children, and sometimes the handler.
type storm struct {
	children, handlers int // killed
	cancel             context.CancelFunc
	done               sync.WaitGroup
}

// startStorm kills children at random, and the handler up to mostHandlers times, until stop. The random source is its own from now on.
func startStorm(ctx context.Context, host *azfunctest.Host, random *rand.Rand, mostHandlers int) *storm {
	s := &storm{}
	fork := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
	ctx, s.cancel = context.WithCancel(ctx)
	s.done.Go(func() {
		for sleep(ctx, time.Duration(100+fork.IntN(600))*time.Millisecond) {
			pid := host.PID()
			children := childrenOf(pid)
			switch {
			case pid == 0 || len(children) == 0:
			case s.handlers < mostHandlers && fork.IntN(5) == 0:
				s.handlers += count(syscall.Kill(pid, syscall.SIGKILL))
			case len(children) == 1: // may be a last try, and what is killed three times running is rightly blamed
			default:
				s.children += count(syscall.Kill(children[fork.IntN(len(children))], syscall.SIGKILL))
			}
		}
	})
	return s
}

func (s *storm) stop() {
	s.cancel()
	s.done.Wait()
}

func count(err error) int { return boolToInt(err == nil) }

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// childrenOf lists the processes whose parent is pid.
func childrenOf(pid int) (found []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		fields := strings.Fields(string(stat)[strings.LastIndex(string(stat), ")")+1:])
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) && fields[0] != "Z" {
			found = append(found, id)
		}
	}
	return found
}

// leftBehind looks for processes of this binary other than this one, for up to two seconds.
func leftBehind() (left []string) {
	self, _ := os.Executable()
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = nil
		entries, _ := os.ReadDir("/proc")
		for _, entry := range entries {
			id, err := strconv.Atoi(entry.Name())
			exe, _ := os.Readlink("/proc/" + entry.Name() + "/exe")
			if err == nil && exe == self && id != os.Getpid() {
				left = append(left, "process "+entry.Name())
			}
		}
		if len(left) == 0 {
			return nil
		}
	}
	return left
}

// summary is the table at the end of a chaos run: a line for each kind of document.
type summary struct {
	storm *storm
	lines map[string]*summaryLine
}

type summaryLine struct {
	want                                  string
	documents, right, again, interruption int
	slowest                               time.Duration
}

func newSummary(s *storm) *summary { return &summary{storm: s, lines: map[string]*summaryLine{}} }

func (s *summary) add(g guest, r ledger.Record, problem string) {
	name, want := "innocent", string(ledger.Succeeded)
	if g.bad != nil {
		name, want = g.bad.name, "failed: "+string(g.bad.kind)
	}
	line := s.lines[name]
	if line == nil {
		line = &summaryLine{want: want}
		s.lines[name] = line
	}
	line.documents++
	if problem == "" {
		line.right++
	}
	line.again += max(0, len(r.Attempts)-1)
	for _, a := range r.Attempts {
		if a.Outcome == ledger.Interrupted {
			line.interruption++
		}
	}
	line.slowest = max(line.slowest, r.Finished.Sub(r.Queued))
}

func (s *summary) String() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DOCUMENTS\tOF KIND\tRIGHT STATE\tIN IT\tFURTHER TRIES\tINTERRUPTED\tSLOWEST")
	var names []string
	for name := range s.lines {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		l := s.lines[name]
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%d\t%d\t%.1f s\n", l.documents, name, l.want, l.right, l.again, l.interruption, l.slowest.Seconds())
	}
	w.Flush()
	fmt.Fprintf(&text, "killed: %d children, the handler %d times\n", s.storm.children, s.storm.handlers)
	return text.String()
}
