package outside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"decant/handler/internal/child"
)

// Try starts the converter's child, and in a cage the program that says its version, and gives the locks that hold. It converts nothing.
func Try(ctx context.Context, f Found, sandbox child.Sandbox) ([]string, error) {
	temp, err := os.MkdirTemp("", "decant-try-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	runner := child.New(runnerOptions(f, Options{Sandbox: sandbox, TempDir: temp}))
	defer runner.Close()
	report := runner.Locks(ctx)
	if report.Error != "" {
		return nil, errors.New(report.Error)
	}
	if len(f.Version) == 0 {
		return report.Held, nil
	}
	program, err := exec.LookPath(f.Version[0])
	if err != nil {
		return nil, err
	}
	locks, err := runCaged(ctx, child.Cage{
		Sandbox: sandbox, Command: append([]string{program}, f.Version[1:]...), Env: environment(temp, f.Env), Dir: temp,
		Read: append([]string{program}, f.Read...), Write: []string{temp}, Sockets: socketFolders(f.Sockets),
	})
	for _, lock := range locks {
		if !slices.Contains(report.Held, lock) {
			report.Held = append(report.Held, lock)
		}
	}
	return report.Held, err
}

// runCaged runs a short program to its end.
func runCaged(ctx context.Context, cage child.Cage) ([]string, error) {
	var out bytes.Buffer
	c := &exec.Cmd{Stdout: &out, Stderr: &out, WaitDelay: time.Second}
	locks, err := cage.Start(c)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Process.Kill() })
	defer stop()
	if err := c.Wait(); err != nil {
		return locks, fmt.Errorf("%s: %w: %s", cage.Command[0], err, strings.TrimSpace(out.String()))
	}
	return locks, nil
}
