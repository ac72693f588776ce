package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/config"
	"decant/handler/internal/event"
	"decant/handler/internal/job"
)

// watcher plays Event Grid where there is none: it looks at the documents container and puts an event on the queue
// for every blob that is new, changed or gone.
type watcher struct {
	cloud *cloud
	seen  map[string]job.Source // path → as last seen
}

// watchInterval is how often the container is looked at.
const watchInterval = time.Second

// watch starts a watcher; stop waits until it has ended.
func (e *emulators) watch(ctx context.Context, set config.Config, errs io.Writer) (stop func(), err error) {
	set.Azure.Storage, set.Azure.Cosmos = job.Secret(e.storage.ConnectionString()), job.Secret(e.cosmos.ConnectionString())
	cloud, err := openCloud(set)
	if err != nil {
		return nil, err
	}
	if err := cloud.prepare(ctx); err != nil {
		return nil, unreachable(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	w := &watcher{cloud: cloud, seen: map[string]job.Source{}}
	go func() {
		defer close(done)
		w.run(ctx, errs)
	}()
	return func() { cancel(); <-done }, nil
}

func (w *watcher) run(ctx context.Context, errs io.Writer) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	last := ""
	for {
		if err := w.look(ctx); err != nil && ctx.Err() == nil && err.Error() != last {
			last = err.Error()
			fmt.Fprintf(errs, "decant: look at the documents container: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look compares the container with what was seen before and sends the events.
func (w *watcher) look(ctx context.Context) error {
	now := map[string]job.Source{}
	for cursor, more := "", true; more; more = cursor != "" {
		list, next, err := w.cloud.files.List(ctx, w.cloud.settings.Documents, "", cursor, 1000)
		if err != nil {
			return err
		}
		for _, src := range list {
			now[src.Path] = src
		}
		cursor = next
	}
	for path, src := range now {
		if w.seen[path].ETag == src.ETag {
			continue
		}
		if err := w.created(ctx, src); err != nil {
			return err
		}
		w.seen[path] = src
	}
	for path, src := range w.seen {
		if _, there := now[path]; there {
			continue
		}
		if err := w.deleted(ctx, src); err != nil {
			return err
		}
		delete(w.seen, path)
	}
	return nil
}

// created sends an event, unless the ledger knows this version already: after a restart, or from `decant submit`.
func (w *watcher) created(ctx context.Context, src job.Source) error {
	if r, err := w.cloud.ledger.Load(ctx, src.ID()); err == nil && r.Source.ETag == src.ETag {
		return nil
	}
	return w.cloud.announce(ctx, src)
}

func (w *watcher) deleted(ctx context.Context, src job.Source) error {
	message, err := event.Deleted(w.cloud.account(), src, time.Now())
	if err != nil {
		return err
	}
	return w.cloud.queues.Enqueue(ctx, w.cloud.settings.Conversions, message, 0)
}

// announce puts the event on the queue that Event Grid would for a finished upload.
func (c *cloud) announce(ctx context.Context, src job.Source) error {
	message, err := event.Created(c.account(), src, time.Now())
	if err != nil {
		return err
	}
	return c.queues.Enqueue(ctx, c.settings.Conversions, message, 0)
}

// printEvents shows what the stand-in host and its handler do, one line for what a person wants to see.
func printEvents(w io.Writer) func(azfunctest.Event) {
	return func(e azfunctest.Event) {
		switch e.Kind {
		case azfunctest.HandlerReady:
			fmt.Fprintf(w, "handler   ready (process %d)\n", e.PID)
		case azfunctest.HandlerExited:
			fmt.Fprintf(w, "handler   ended with exit code %d\n", e.Exit)
		case azfunctest.HandlerLine:
			printDocument(w, e.Text)
		case azfunctest.MessagePoisoned:
			fmt.Fprintf(w, "poison    a message was given up after %d deliveries: %s\n", e.Attempt, e.Queue)
		case azfunctest.FunctionDropped:
			fmt.Fprintf(w, "function  %s was left out: %v\n", e.Function, e.Err)
		}
	}
}

// printDocument shows the handler's log line about a finished document.
func printDocument(w io.Writer, line string) {
	var entry struct {
		Msg, Path, State, Fault string
	}
	if json.Unmarshal([]byte(line), &entry) != nil || entry.Msg != "document" {
		return
	}
	if entry.Fault != "" {
		entry.State += " (" + entry.Fault + ")"
	}
	fmt.Fprintf(w, "%-9s %s\n", entry.State, entry.Path)
}
