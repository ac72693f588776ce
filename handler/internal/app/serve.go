package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/config"
	"decant/handler/internal/pipeline"
	"decant/handler/internal/server"
	"decant/handler/internal/server/api"
	"decant/handler/internal/sweep"
)

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", GroupID: "service", Args: noArguments,
		Short: "Run the custom handler of the Functions app",
		Long: `Run the custom handler: the HTTP server that the Functions host starts and calls.
It is the default when FUNCTIONS_CUSTOMHANDLER_PORT is set. It listens on 127.0.0.1 only, and only when it is ready:
an open port is what the host takes for readiness.
` + exitCodes,
		RunE: func(c *cobra.Command, _ []string) error { return runServe(c) },
	}
}

func runServe(c *cobra.Command) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if set.Port == 0 {
		return usage{errors.New("FUNCTIONS_CUSTOMHANDLER_PORT is not set: the Functions host starts this command. On a laptop use `decant local` (make start)")}
	}
	log := newLog(c, set.LogLevel)
	service, err := newService(c.Context(), set, log)
	if err != nil {
		return err
	}
	return service.listen(c.Context(), set, log)
}

func newLog(c *cobra.Command, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	return slog.New(azfunc.NewLogHandler(c.OutOrStdout(), c.ErrOrStderr(), l))
}

// service is what answers the host.
type service struct {
	server  *server.Server
	workers *workers
}

func newService(ctx context.Context, set config.Config, log *slog.Logger) (*service, error) {
	cloud, err := openCloud(set)
	if err != nil {
		return nil, err
	}
	if err := cloud.prepare(ctx); err != nil {
		return nil, unreachable(err)
	}
	set.Options.Tokenizer = tokenizerPath(set.Options.Tokenizer)
	workers, err := newWorkers(ctx, set, true, log)
	if err != nil {
		return nil, err
	}
	path := pipeline.New(pipeline.Ports{
		Ledger: cloud.ledger, Fetcher: cloud.files, Converter: workers, Sink: cloud.sink, Cache: cloud.sink, Log: log, Announcer: cloud.announcers(),
	}, pipeline.Options{TempDir: workers.runner.TempDir(), Reuse: true, Shared: set.DocumentsPerProcess > 1})
	prefix, err := azfunc.RoutePrefix(".", os.Environ())
	if err != nil {
		return nil, err
	}
	functionTimeout, err := azfunc.FunctionTimeout(".", os.Environ())
	if err != nil {
		return nil, err
	}
	deadline, settle := server.DeadlineFor(functionTimeout)
	if deadline > 0 && set.Limits.Timeout >= deadline {
		return nil, usage{fmt.Errorf("DECANT_TIMEOUT=%s: must be shorter than %s, which host.json's functionTimeout of %s leaves; at that one the host kills the handler and every document with it", set.Limits.Timeout, deadline, functionTimeout)}
	}
	locks := workers.runner.Locks(ctx)
	log.Info("sandbox", "locks", locks)
	j := &journey{pipeline: path, cloud: cloud, sweeper: newSweeper(cloud, path, log), options: set.Options, limits: set.Limits, log: log}
	s, err := server.New(server.Options{
		Version: version, Log: log, Decoder: cloud.decoder(), Prefix: prefix,
		Journey: j, Commands: cloud.batches, API: newAPI(j, workers, locks.Held), Deadline: deadline, Settle: settle,
	})
	return &service{server: s, workers: workers}, err
}

func newSweeper(c *cloud, path *pipeline.Pipeline, log *slog.Logger) *sweep.Sweeper {
	return sweep.New(sweep.Ports{
		Ledger: c.ledger, Pipeline: path, Queue: c.queues, Lister: c.files, Notes: c.letters, Results: c.sink, Batches: c.batches,
		Rescue: c.rescue, Log: log,
	}, sweep.Options{Queue: c.settings.Conversions, Container: c.settings.Documents})
}

// newAPI joins what people and programs may ask for.
func newAPI(j *journey, workers *workers, locks []string) *api.API {
	docs := &documents{cloud: j.cloud, pipeline: j.pipeline}
	return api.New(api.Options{
		Version: version, Decoder: j.cloud.decoder(), Documents: docs,
		Batches:   &batches{cloud: j.cloud},
		Converter: &uploads{journey: j, documents: docs},
		Health:    &health{cloud: j.cloud, workers: workers, locks: locks},
		Stats:     &stats{cloud: j.cloud, workers: workers, since: time.Now().UTC()},
		Metrics:   promhttp.HandlerFor(workers.Registry(), promhttp.HandlerOpts{}),
	})
}

// listen serves until the host goes away. Then nothing new begins, running documents get the drain time-out, and what is left
// is ended: its messages come back.
func (s *service) listen(ctx context.Context, set config.Config, log *slog.Logger) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(set.Port)))
	if err != nil {
		return fmt.Errorf("listen on port %d: %w", set.Port, err)
	}
	base, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	web := s.server.HTTPServer(base)
	done := make(chan error, 1)
	go func() { done <- web.Serve(listener) }()
	log.Info("ready", "version", version, "port", set.Port, "pool", s.workers.Sizing())
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	log.Info("shutting down", "drain", set.DrainTimeout)
	err = s.workers.Drain(context.WithoutCancel(ctx))
	end()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastAnswers)
	defer cancel()
	return errors.Join(err, web.Shutdown(last))
}

// lastAnswers is how long the answers of ended documents may take to reach the host.
const lastAnswers = 5 * time.Second
