package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// CageCommand is the hidden subcommand of this program that MainCage serves.
const CageCommand = "cage"

// Cage is what a program that is not ours may do. A foreign child starts it (Start) by way of this same binary, which locks itself
// in and then becomes the program (MainCage). Limits of memory, files and system calls are inherited from the child.
type Cage struct {
	Sandbox Sandbox       `json:"sandbox"`
	Command []string      `json:"command"` // the program's absolute path, and its arguments
	Env     []string      `json:"env"`
	Dir     string        `json:"dir"`               // working directory
	Read    []string      `json:"read"`              // what it may read and execute, beside what every program needs
	Write   []string      `json:"write"`             // directories that are its own
	Sockets []string      `json:"sockets,omitempty"` // directories in which it may make local sockets, and nothing else
	CPU     time.Duration `json:"cpu"`               // processor time of one process; 0 means no limit
	File    int64         `json:"file"`              // bytes of the largest file that it may write; 0 means no limit
}

// verdict is what the locked in process says on descriptor 3 before it becomes the program.
type verdict struct {
	Locks []string `json:"locks"`
	Error string   `json:"error,omitempty"`
	Exit  int      `json:"exit,omitempty"`
}

// ErrNoCage means that a lock is missing that SandboxRequire asks for.
var ErrNoCage = errors.New("the program cannot be locked in")

// Start starts the program with the streams of c, whose path and arguments are taken from the cage, and says which locks hold.
// After a nil error the program runs until it ends or the group is killed.
func (g Cage) Start(c *exec.Cmd) ([]string, error) {
	spec, err := json.Marshal(g)
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	c.Path = ownPath()
	c.Args = []string{c.Path, "child", CageCommand, string(spec)}
	c.Env, c.Dir, c.ExtraFiles = []string{}, g.Dir, []*os.File{write}
	c.SysProcAttr = programAttributes()
	err = c.Start()
	write.Close()
	if err != nil {
		return nil, err
	}
	v := verdict{}
	if err := json.NewDecoder(io.LimitReader(read, 64<<10)).Decode(&v); err != nil {
		v.Error = "it ended before it was locked in"
	}
	if v.Error == "" {
		return v.Locks, nil
	}
	_ = c.Wait() // the verdict says why
	if v.Exit == exitSandbox {
		return nil, fmt.Errorf("%w: %s", ErrNoCage, v.Error)
	}
	return nil, errors.New(v.Error)
}

// MainCage locks this process in and becomes the program; it returns only when it could not.
func MainCage(args []string) int {
	out := os.NewFile(3, "verdict")
	v := verdict{}
	if len(args) != 1 {
		return exitProtocol
	}
	var g Cage
	if err := json.Unmarshal([]byte(args[0]), &g); err != nil || len(g.Command) == 0 {
		return exitProtocol
	}
	var failed error
	if v.Locks, failed = g.lockIn(); failed != nil && g.Sandbox == SandboxRequire {
		v.Error, v.Exit = failed.Error(), exitSandbox
		say(out, v)
		return exitSandbox
	}
	if _, err := os.Stat(g.Command[0]); err != nil {
		v.Error, v.Exit = fmt.Sprintf("%s: %v", g.Command[0], err), exitProtocol
		say(out, v)
		return exitProtocol
	}
	say(out, v)
	syscall.CloseOnExec(3)
	err := syscall.Exec(g.Command[0], g.Command, g.Env)
	fmt.Fprintf(os.Stderr, "%s cannot be started: %v\n", g.Command[0], err)
	return exitProtocol
}

func say(out io.Writer, v verdict) {
	w := bufio.NewWriter(out)
	_ = json.NewEncoder(w).Encode(v) // who does not hear it sees the exit code
	_ = w.Flush()
}
