package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/azure/queue"
	"decant/handler/internal/emulator"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// localFlags are the options of `decant local`.
type localFlags struct {
	dist    string
	address string
	standIn bool
	verbose bool
}

func localCommand() *cobra.Command {
	var f localFlags
	c := &cobra.Command{
		Use: "local", GroupID: "service", Args: noArguments,
		Short: "Run emulators, Functions host and handler on this machine",
		Long: `Start Azurite and the Cosmos DB emulator, then the Functions host on dist/ (func when it is on the PATH, else a stand-in host
that does to the handler what the real one does). Other decant commands in the same folder find the emulators by themselves.
Ctrl-C ends everything that was started, and nothing else. Azurite keeps its data below DECANT_HOME; the Cosmos emulator keeps none.

It needs Node, and the emulators installed: make start does both.
` + exitCodes,
		Example: `  decant local
  decant submit report.pdf     in another terminal
  decant status`,
		RunE: func(c *cobra.Command, _ []string) error { return runLocal(c, f) },
	}
	c.Flags().StringVar(&f.dist, "dist", "dist", "the staged Functions app (make package)")
	c.Flags().StringVar(&f.address, "address", "127.0.0.1:7071", "where the host answers HTTP")
	c.Flags().BoolVar(&f.standIn, "stand-in", false, "use the stand-in host even when func is installed")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show what emulators and host print")
	return c
}

func runLocal(c *cobra.Command, f localFlags) error {
	set, err := settings()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(f.dist, "host.json")); err != nil {
		return fault.New(fault.NotFound, fmt.Sprintf("%s is not a staged Functions app. Run make package first.", f.dist), err)
	}
	out := c.OutOrStdout()
	e, err := startEmulators(c.Context(), set.Home, emulatorLog(f.verbose, c.ErrOrStderr()))
	if err != nil {
		return err
	}
	defer e.stop()
	fmt.Fprintf(out, "storage   %s\nledger    %s\n", e.storage.Blob, e.cosmos.Endpoint)
	remove, err := e.announce(set.Home, "http://"+f.address)
	if err != nil {
		return err
	}
	defer remove()
	stopWatching, err := e.watch(c.Context(), set, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer stopWatching()
	environ := append(os.Environ(), e.environ(f.dist)...)
	if path, err := exec.LookPath("func"); err == nil && !f.standIn {
		return e.runFunc(c, path, f, environ)
	}
	return e.runStandIn(c, f, environ)
}

func emulatorLog(verbose bool, w io.Writer) io.Writer {
	if verbose {
		return w
	}
	return io.Discard
}

// emulators are the running emulators of `decant local`.
type emulators struct {
	storage *emulator.Storage
	cosmos  *emulator.Cosmos
}

func startEmulators(ctx context.Context, home string, log io.Writer) (*emulators, error) {
	dir := filepath.Join(home, "azurite")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	storage, err := emulator.StartStorage(ctx, emulator.Options{Dir: dir, Log: log})
	if err != nil {
		return nil, fault.New(fault.Storage, "Azurite could not be started. Is Node installed, and was npm ci run in tools/emulators (make start does it)?", err)
	}
	cosmos, err := emulator.StartCosmos(ctx, emulator.Options{Log: log})
	if err != nil {
		storage.Stop()
		return nil, fault.New(fault.Storage, "The Cosmos DB emulator could not be started. Is Node installed, and was npm ci run in tools/emulators (make start does it)?", err)
	}
	return &emulators{storage, cosmos}, nil
}

func (e *emulators) stop() {
	e.cosmos.Stop()
	e.storage.Stop()
}

// environ is what host and handler need to find the emulators.
func (e *emulators) environ(dist string) []string {
	return []string{
		"AzureWebJobsStorage=" + e.storage.ConnectionString(), "DocStorage=" + e.storage.ConnectionString(),
		"DECANT_STORAGE=" + e.storage.ConnectionString(), "DECANT_COSMOS=" + e.cosmos.ConnectionString(),
		"AzureWebJobsScriptRoot=" + dist, "FUNCTIONS_WORKER_RUNTIME=custom",
	}
}

// running is what `decant local` leaves for other commands while it runs.
type running struct {
	PID     int    `json:"pid"`
	Storage string `json:"storage"`
	Cosmos  string `json:"cosmos"`
	Host    string `json:"host"` // address of the Functions host
}

func runningFile(home string) string { return filepath.Join(home, "running.json") }

// announce writes where emulators and host are, for submit and status. The connection strings hold only the emulators' public key.
func (e *emulators) announce(home, host string) (remove func(), err error) {
	text, err := json.Marshal(running{os.Getpid(), e.storage.ConnectionString(), e.cosmos.ConnectionString(), host})
	if err != nil {
		return nil, err
	}
	file := runningFile(home)
	return func() { os.Remove(file) }, os.WriteFile(file, text, 0o600)
}

// findRunning gives what a running `decant local` left, if there is one.
func findRunning(home string) (running, bool) {
	var r running
	text, err := os.ReadFile(runningFile(home))
	if err != nil || json.Unmarshal(text, &r) != nil {
		return r, false
	}
	return r, syscall.Kill(r.PID, 0) == nil
}

// runFunc runs the real host in a process group of its own, so that Ctrl-C reaches it once, from us.
func (e *emulators) runFunc(c *cobra.Command, path string, f localFlags, environ []string) error {
	fmt.Fprintf(c.OutOrStdout(), "host      %s start\n", path)
	_, port, err := net.SplitHostPort(f.address)
	if err != nil {
		return usage{fmt.Errorf("--address %s: must be host:port", f.address)}
	}
	host := exec.CommandContext(c.Context(), path, "start", "--port", port)
	host.Dir, host.Env = f.dist, environ
	host.Stdout, host.Stderr = c.OutOrStdout(), c.ErrOrStderr()
	host.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	host.Cancel = func() error { return syscall.Kill(-host.Process.Pid, syscall.SIGINT) }
	host.WaitDelay = 10 * time.Second
	err = host.Run()
	if host.Process != nil {
		_ = syscall.Kill(-host.Process.Pid, syscall.SIGKILL) // whatever it left behind
	}
	if c.Context().Err() != nil {
		return nil
	}
	return err
}

// runStandIn runs the stand-in host until it is stopped.
func (e *emulators) runStandIn(c *cobra.Command, f localFlags, environ []string) error {
	queues, err := queue.New(queue.Options{ConnectionString: job.Secret(e.storage.ConnectionString())})
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if !f.verbose {
		level = slog.LevelWarn
	}
	dir, err := filepath.Abs(f.dist)
	if err != nil {
		return err
	}
	host, err := azfunctest.Start(context.WithoutCancel(c.Context()), azfunctest.Options{
		Dir: dir, Environ: environ, Queues: queues.ForHost(), Address: f.address,
		Log:     slog.New(slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level})),
		Observe: printEvents(c.OutOrStdout()),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "host      stand-in at %s\n\nReady. In another terminal: dist/decant submit FILE... and dist/decant status. Ctrl-C ends it.\n", host.URL())
	select {
	case <-c.Context().Done():
		fmt.Fprintln(c.OutOrStdout(), "stopping; running documents may finish, a second Ctrl-C does not wait for them")
	case <-host.Done():
	}
	return host.Stop()
}
