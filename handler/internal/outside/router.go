package outside

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// chatter is how many bytes an outside program may write to its log: a worker lives for many documents.
const chatter = 256 * job.MiB

// leastReading is what is left to read what came back when the outside converter has used its time up to the end.
const leastReading = 30 * time.Second

// Own converts with decant's own parsers, each document in a capped child: *child.Runner.
type Own interface {
	Convert(context.Context, job.Request) (job.Result, job.Usage, error)
	ConvertBatch([]child.Item, child.Done)
	SetSpares(n int)
	Spares() int
}

// Options are the settings of a Router.
type Options struct {
	Command []string      // that starts Launch; default: this program with "child" and LaunchCommand
	Sandbox child.Sandbox // auto by default
	TempDir string        // holds what converters give back until it is read; required
	Log     *slog.Logger
}

// Router converts documents with our own parsers, and leads those that belong to an outside converter through it first.
// It is safe for use by many goroutines. Close it when no conversion runs any more; the Own it was given is the caller's to close.
type Router struct {
	own      Own
	temp     string
	stations map[string]*station
}

// station is one outside converter at work.
type station struct {
	Found
	runner *child.Runner
	free   chan struct{} // a place for each process that may run; nil when they are not counted
}

// LaunchCommand is the hidden subcommand of this program that Launch serves.
const LaunchCommand = "outside"

// New makes a router. The children of own must know the routes (Routes).
func New(own Own, found []Found, o Options) *Router {
	r := &Router{own: own, temp: o.TempDir, stations: map[string]*station{}}
	for _, f := range found {
		s := &station{Found: f, runner: child.New(runnerOptions(f, o))}
		if n := f.Limits.Processes; n > 0 {
			s.free = make(chan struct{}, n)
		}
		r.stations[f.Name] = s
	}
	return r
}

func runnerOptions(f Found, o Options) child.Options {
	c := child.Options{
		Command: o.Command, Sandbox: o.Sandbox, TempDir: o.TempDir, Log: o.Log, Foreign: true, Chatter: chatter,
		Memory: int64(f.Limits.Memory), DocumentsPerProcess: f.Limits.Documents, RecycleMark: int64(f.Limits.Recycle),
		Settings: launch{Converter: f.Converter, Program: f.Program, Sandbox: cmp.Or(o.Sandbox, child.SandboxAuto)},
	}
	if len(c.Command) == 0 {
		self, _ := os.Executable() // child.New says what is wrong with an empty one
		c.Command = []string{self, "child", LaunchCommand}
	}
	if f.Mode == ModeWorker {
		c.Keep = time.Duration(f.Limits.Idle)
	}
	return c
}

// Routes are what the children of Own have to know.
func Routes(found []Found) []job.Route {
	routes := make([]job.Route, len(found))
	for i, f := range found {
		routes[i] = f.route()
	}
	return routes
}

// Close ends the converters' processes.
func (r *Router) Close() {
	for _, s := range r.stations {
		s.runner.Close()
	}
}

// SetSpares and Spares are those of our own children.
func (r *Router) SetSpares(n int) { r.own.SetSpares(n) }

// Spares is how many of our own warm children wait now.
func (r *Router) Spares() int { return r.own.Spares() }

// Stats says what the children of a converter have done; false when there is none of that name.
func (r *Router) Stats(converter string) (child.Stats, bool) {
	s, ok := r.stations[converter]
	if !ok {
		return child.Stats{}, false
	}
	return s.runner.Stats(), true
}

// Convert converts one document. The error is nil or a *fault.Error.
func (r *Router) Convert(ctx context.Context, q job.Request) (result job.Result, usage job.Usage, failed error) {
	r.ConvertBatch([]child.Item{{Context: ctx, Request: q}}, func(_ int, res job.Result, u job.Usage, err error) {
		result, usage, failed = res, u, err
	})
	return result, usage, failed
}

// visit is a document on its way through an outside converter.
type visit struct {
	index int
	child.Item
	usage job.Usage // so far
	wants job.Outside
	dir   string // takes what comes back
}

// ConvertBatch converts documents, and calls done once for each. Those that belong to an outside converter follow after the others,
// together for each converter.
func (r *Router) ConvertBatch(items []child.Item, done child.Done) {
	waiting := map[string][]*visit{}
	var order []string
	r.own.ConvertBatch(items, func(i int, result job.Result, usage job.Usage, err error) {
		if err != nil || result.Outside == nil {
			done(i, result, usage, err)
			return
		}
		name := result.Outside.Converter
		if len(waiting[name]) == 0 {
			order = append(order, name)
		}
		waiting[name] = append(waiting[name], &visit{index: i, Item: items[i], usage: usage, wants: *result.Outside})
	})
	for _, name := range order {
		r.through(r.stations[name], waiting[name], done)
	}
}

// through leads documents through one converter.
func (r *Router) through(s *station, visits []*visit, done child.Done) {
	if s == nil {
		for _, v := range visits {
			done(v.index, job.Result{}, v.usage, fault.Newf(fault.Internal, "There is no outside converter %q.", v.wants.Converter))
		}
		return
	}
	if err := s.enter(visits[0].Context); err != nil {
		done(visits[0].index, job.Result{}, visits[0].usage, fault.From(err))
		if len(visits) > 1 {
			r.through(s, visits[1:], done)
		}
		return
	}
	defer s.leave()
	items := make([]child.Item, 0, len(visits))
	ready := make([]*visit, 0, len(visits))
	for _, v := range visits {
		item, err := r.prepare(s, v)
		if err != nil {
			done(v.index, job.Result{}, v.usage, fault.New(fault.Internal, "", err))
			continue
		}
		items, ready = append(items, item), append(ready, v)
	}
	s.runner.ConvertBatch(items, func(i int, made job.Result, usage job.Usage, err error) {
		v := ready[i]
		defer os.RemoveAll(v.dir)
		v.add(usage)
		if err != nil {
			v.usage.Death = deathOf(err, usage.Death)
			if v.wants.Protected && fault.KindOf(err) == fault.Corrupt {
				err = fault.New(fault.Encrypted, "The document is protected by a password, and the outside converter "+s.Name+" cannot be given one. Save it without the password.", err)
			}
			err = s.limited(fault.From(err), items[i].Request.Job.Limits)
			done(v.index, job.Result{}, v.usage, err)
			return
		}
		r.readBack(s, v, made, done)
	})
}

func (s *station) enter(ctx context.Context) error {
	if s.free == nil {
		return context.Cause(ctx)
	}
	select {
	case s.free <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *station) leave() {
	if s.free != nil {
		<-s.free
	}
}

// prepare makes the order for the converter's child.
func (r *Router) prepare(s *station, v *visit) (child.Item, error) {
	var err error
	if v.dir, err = os.MkdirTemp(r.temp, "outside-"); err != nil {
		return child.Item{}, err
	}
	q := v.Request
	v.wants.Returns, v.wants.Version = s.Returns, s.Says
	wants := v.wants
	q.Outside, q.OutDir = &wants, v.dir
	q.Job.Limits = s.limits(q, v.usage.Wall)
	return child.Item{Context: v.Context, Request: q}, nil
}

// limits are those of the converter where the settings have some, else the document's own. A document that has the whole instance to
// itself has all its memory here too.
func (s *station) limits(q job.Request, spent time.Duration) job.Limits {
	l, own := q.Job.Limits.Normalize(), s.Limits
	l.Memory = cmp.Or(int64(own.Memory), l.Memory)
	if q.Alone {
		l.Memory = max(l.Memory, q.Job.Limits.Memory)
	}
	l.Timeout = cmp.Or(time.Duration(own.Timeout), max(l.Timeout-spent, time.Second))
	l.NoProgress = cmp.Or(time.Duration(own.NoProgress), l.NoProgress)
	l.Output = min(l.Output, l.Disk)
	return l
}

// readBack reads what the converter made with our own parsers, as a document that nobody vouches for.
func (r *Router) readBack(s *station, v *visit, made job.Result, done child.Done) {
	q := v.Request
	if made.Outside != nil && made.Outside.Version != "" {
		v.wants.Version = made.Outside.Version
	}
	if len(made.Files) != 1 {
		done(v.index, job.Result{}, v.usage, fault.Newf(fault.Internal, "The outside converter %s gave back %d files.", s.Name, len(made.Files)))
		return
	}
	q.Outside, q.Made = &v.wants, filepath.Join(v.dir, made.Files[0].Path)
	q.Job.Limits = q.Job.Limits.Normalize()
	q.Job.Limits.Timeout = max(q.Job.Limits.Timeout-v.usage.Wall, leastReading)
	v.usage.Outside = nameOf(v.wants)
	result, usage, err := r.own.Convert(v.Context, q)
	v.sum(usage)
	done(v.index, result, v.usage, err)
}

// add puts the cost of the converter's child to what was used before.
func (v *visit) add(u job.Usage) {
	v.sum(u)
	v.usage.Outside, v.usage.OutsideLocks = nameOf(v.wants), u.Locks
}

// nameOf is a converter with its version, for people.
func nameOf(o job.Outside) string { return strings.TrimSpace(o.Converter + " " + o.Version) }

// sum makes the last process's usage that of all: time adds up, memory does not, as they ran one after the other.
func (v *visit) sum(u job.Usage) {
	before := v.usage
	v.usage = u
	v.usage.PeakMemory = max(u.PeakMemory, before.PeakMemory)
	v.usage.CPU, v.usage.Wall = u.CPU+before.CPU, u.Wall+before.Wall
	v.usage.Outside, v.usage.OutsideLocks = before.Outside, before.OutsideLocks
	if u.Stderr == "" {
		v.usage.Stderr = before.Stderr
	}
	if before.Locks != nil {
		v.usage.Locks = before.Locks
	}
}

// deathOf names the death of a converter's program, whose end the launcher reported as an answer.
func deathOf(err error, death string) string {
	if death != child.DeathRefused {
		return death
	}
	return cmp.Or(deaths[fault.KindOf(err)], death)
}

// deaths are what the launcher's faults say of the program.
var deaths = map[fault.Kind]string{
	fault.Crash: child.DeathCrash, fault.Memory: child.DeathMemory, fault.Sandbox: child.DeathSandbox, fault.Timeout: child.DeathTimeout,
	fault.LimitDisk: child.DeathDiskLimit, fault.LimitOutput: child.DeathOutputLimit,
}
