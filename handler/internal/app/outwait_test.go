package app

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/local"
)

// TestTwoCommandsOnOneFolder: a command that meets a document in another one's hands says so, waits, and goes on when that one
// is through with it. The other one is played by this test.
func TestTwoCommandsOnOneFolder(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    func(*ledger.Claim, context.Context) error
		status string
		code   int
	}{
		{"the other one gives up", func(c *ledger.Claim, ctx context.Context) error {
			_, err := c.Release(ctx, ledger.Interrupted, nil, nil)
			return err
		}, "converted", fault.ExitOK},
		{"the other one fails", func(c *ledger.Claim, ctx context.Context) error {
			_, err := c.Finish(ctx, ledger.Conclusion{State: ledger.Failed, Err: fault.New(fault.Corrupt, "", nil)})
			return err
		}, "failed", fault.ExitSomeFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "shared.txt"), []byte("One text for two."), 0o644))
			set, err := settings()
			must(t, err)
			must(t, convertFlags{out: "out", formats: job.DefaultOutputs()}.apply(&set))
			found, err := findConverters(t.Context(), set)
			must(t, err)
			other := ledger.New(local.NewStore(filepath.Join(dir, "out", ".decant", "records")), ledger.Options{Version: workVersion(found), Lease: time.Hour})
			files := local.NewFiles(func(s job.Source) string { return filepath.Join(dir, s.Path) })
			src, err := files.Stat(t.Context(), job.Source{Path: "shared.txt"})
			must(t, err)
			claim, _, err := other.Claim(t.Context(), job.Job{Source: src, Options: set.Options}, ledger.ClaimOptions{})
			must(t, err)

			cmd, out, said := startDecant(t, dir, "convert", "shared.txt")
			if line := <-said; !strings.Contains(line, "shared.txt: another decant converts it") {
				t.Errorf("the command said %q, want that it waits for another one", line)
			}
			must(t, c.end(claim, t.Context()))
			for range said { // until it ends
			}
			text := <-out
			if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != c.code || !strings.Contains(text, c.status) {
				t.Errorf("exit code %d, output %q; want %d and %q", cmd.ProcessState.ExitCode(), text, c.code, c.status)
			}
		})
	}
}

// startDecant runs the command in the background: out gets what it wrote at its end, said what it says on standard error, by lines.
func startDecant(t *testing.T, dir string, args ...string) (cmd *exec.Cmd, out <-chan string, said <-chan string) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd = exec.CommandContext(t.Context(), exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DECANT_TEST_COMMAND=1", "DECANT_STORAGE=", "DECANT_HOME="+filepath.Join(dir, "home"))
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	all, lines := make(chan string, 1), make(chan string, 100)
	go func() {
		text, _ := io.ReadAll(stdout)
		all <- string(text)
	}()
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(stderr); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return cmd, all, lines
}
