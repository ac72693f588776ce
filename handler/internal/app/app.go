package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"decant/handler/internal/config"
	"decant/handler/internal/fault"
)

// version is set by the build (-ldflags -X).
var version = "dev"

// Streams are the program's standard streams.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Main runs the program with the given arguments and gives its exit code.
func Main(args []string, std Streams) int {
	if len(args) > 0 && args[0] == "child" {
		return childMain(args[1:])
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // who reads no further gets no more, but the work ends as it should
	if len(args) == 0 && os.Getenv("FUNCTIONS_CUSTOMHANDLER_PORT") != "" {
		args = []string{"serve"}
	}
	root := rootCommand(std)
	root.SetArgs(args)
	return report(root.ExecuteContext(ctx), std.Err)
}

// exit is an error that only carries an exit code: what there was to say has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usage marks a mistake in the command line.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// report prints what went wrong, once, and gives the exit code.
func report(err error, w io.Writer) int {
	var code exit
	var u usage
	switch {
	case err == nil:
		return fault.ExitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &u):
		fmt.Fprintf(w, "decant: %v\nRun 'decant --help' for the commands and their options.\n", u.error)
		return fault.ExitUsage
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "decant: interrupted")
		return fault.ExitInterrupted
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		fmt.Fprintf(w, "decant: %v\n", err)
		return fault.ExitInternal
	}
	fmt.Fprintf(w, "decant: %s\n", f.Message)
	if f.Err != nil {
		fmt.Fprintf(w, "  cause: %v\n", f.Err)
	}
	return fault.Lookup(f.Kind).Exit
}

const exitCodes = `
Exit codes:
  0    all documents converted (or nothing had to be done)
  1    decant itself failed
  2    bad usage: a wrong option, argument or setting
  3    some or all documents failed; each is named with its reason
  4    storage or ledger cannot be reached
  130  interrupted`

func rootCommand(std Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "decant",
		Short: "Turn documents into Markdown, structure and chunks, without losing one",
		Long: `decant turns documents (PDF, Office, mail, web pages, data, archives) into Markdown, a structured document
and token-bounded chunks. Each document is converted in a process of its own, capped in memory and time and locked
in a sandbox, so that a bad document costs only itself.

It runs as a plain command (decant convert), on a laptop with storage and host (decant local), and as the
custom handler of an Azure Functions app (decant serve).
` + exitCodes,
		Example: `  decant convert report.pdf                  results in ./out/report.pdf/
  decant convert docs/ --out results --jobs 4
  cat page.html | decant convert - --format md
  decant precheck archive/                   which PDFs are scans, encrypted or broken
  decant status`,
		Version: version,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage{fmt.Errorf("there is no command %q", args[0])}
			}
			return nil
		},
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage{err} })
	root.SetVersionTemplate("decant {{.Version}}\n")
	root.AddGroup(&cobra.Group{ID: "convert", Title: "Convert:"}, &cobra.Group{ID: "service", Title: "Run the service:"}, &cobra.Group{ID: "about", Title: "About:"})
	root.SetHelpCommandGroupID("about")
	root.SetCompletionCommandGroupID("about")
	for _, c := range []*cobra.Command{convertCommand(), precheckCommand(), serveCommand(), submitCommand(), statusCommand(), redriveCommand(), batchCommand(), localCommand(), versionCommand(), formatsCommand(), configCommand(), packageCommand(), doctorCommand(), smokeCommand(), warmupCommand()} {
		root.AddCommand(c)
	}
	strictHelpers(root)
	return root
}

// settings reads the environment, or says everything that is wrong with it.
func settings() (config.Config, error) {
	c, err := config.Load(os.Getenv)
	if err != nil {
		return c, usage{fmt.Errorf("the settings are not right:\n%w", err)}
	}
	if info, err := os.Stat(os.TempDir()); err != nil || !info.IsDir() {
		return c, usage{fmt.Errorf("there is no folder %s for temporary files: set TMPDIR to one that may be written", os.TempDir())}
	}
	return c, nil
}
