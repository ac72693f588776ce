package outside

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// launch is what the parent tells the converter's child.
type launch struct {
	Converter Converter     `json:"converter"`
	Program   string        `json:"program"`
	Sandbox   child.Sandbox `json:"sandbox"`
}

// Launch is the child of an outside converter: it starts the converter's program in a cage and hands documents to it.
func Launch() child.Program {
	l := &launcher{}
	return child.Program{Configure: l.configure, Convert: l.convert, Foreign: l.state}
}

// launcher is the state of that child. Everything below root is the program's to change: it is only touched through root, which no
// link leads out of.
type launcher struct {
	launch
	root   *os.Root
	folder string // root's path
	count  int    // documents so far
	locks  []string
	cpu    time.Duration // of programs that have ended
	worker *worker
	done   bool  // no other document can follow
	broken error // why none can be done
}

func (l *launcher) configure(text json.RawMessage) error {
	l.broken = l.open(text)
	return l.broken
}

// open reads the settings and makes the program's folder.
func (l *launcher) open(text json.RawMessage) error {
	if err := json.Unmarshal(text, &l.launch); err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	l.folder = filepath.Join(os.TempDir(), "program")
	if err := os.Mkdir(l.folder, 0o700); err != nil {
		return err
	}
	var err error
	if l.root, err = os.OpenRoot(l.folder); err != nil {
		return err
	}
	if err := l.root.Mkdir("temp", 0o700); err != nil {
		return err
	}
	return l.writeFiles()
}

// writeFiles puts the files of the settings below the temporary folder.
func (l *launcher) writeFiles() error {
	for name, content := range l.Converter.Files {
		name = path.Join("temp", filepath.ToSlash(name))
		if err := l.root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return err
		}
		if err := l.root.WriteFile(name, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (l *launcher) state() child.ForeignState {
	s := child.ForeignState{Locks: l.locks, CPU: l.cpu, Done: l.done}
	if l.worker != nil {
		s.CPU += child.GroupCPU()
	}
	return s
}

// convert does one document: its folder holds the copy and takes the result, and goes afterwards.
func (l *launcher) convert(ctx context.Context, q job.Request) (job.Result, error) {
	if l.broken != nil || q.Outside == nil {
		return job.Result{}, errors.Join(errors.New("the outside converter cannot be started"), l.broken)
	}
	l.count++
	d := document{Request: q, number: l.count, folder: fmt.Sprint(l.count), returns: q.Outside.Returns}
	defer func() { _ = l.root.RemoveAll(d.folder) }()
	if err := l.lay(&d); err != nil {
		return job.Result{}, err
	}
	made, err := l.run(ctx, &d)
	if err != nil {
		return job.Result{}, err
	}
	return l.take(&d, made)
}

func (l *launcher) run(ctx context.Context, d *document) (made string, err error) {
	if l.Converter.Mode == ModeWorker {
		return l.ask(ctx, d)
	}
	return l.once(ctx, d)
}

// document is one document in the launcher's hands. Paths are relative to root, with slashes.
type document struct {
	job.Request
	number  int
	folder  string
	input   string
	output  string
	returns string
	version string // that the program says of itself
}

// lay copies the document to where the program may read it, under a name with the extension of its format.
func (l *launcher) lay(d *document) error {
	d.input, d.output = d.folder+"/document."+clean(d.Outside.Format), d.folder+"/out"
	if err := l.root.MkdirAll(d.output, 0o700); err != nil {
		return err
	}
	from, err := os.Open(d.Input)
	if err != nil {
		return fmt.Errorf("open the document: %w", err)
	}
	defer from.Close()
	to, err := l.root.OpenFile(d.input, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil {
		return fmt.Errorf("copy the document: %w", err)
	}
	return to.Close()
}

// clean makes a format's name fit for a file's extension.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return name[:min(len(name), 16)]
}

// take copies what the program made to where the parent looks for it.
func (l *launcher) take(d *document, made string) (job.Result, error) {
	from, err := l.root.Open(made)
	if err != nil {
		return job.Result{}, l.crash("named a file that cannot be read", err)
	}
	defer from.Close()
	if info, err := from.Stat(); err != nil || !info.Mode().IsRegular() {
		return job.Result{}, l.crash("gave back something that is not a file", err)
	}
	name := "document." + clean(d.returns)
	to, err := os.Create(filepath.Join(d.OutDir, name))
	if err != nil {
		return job.Result{}, err
	}
	defer to.Close()
	n, err := io.Copy(to, io.LimitReader(from, d.Job.Limits.Output+1))
	switch {
	case err != nil:
		return job.Result{}, fmt.Errorf("copy the result: %w", err)
	case n > d.Job.Limits.Output:
		return job.Result{}, fault.New(fault.LimitOutput, "", nil)
	}
	outside := *d.Outside
	outside.Version = d.version
	return job.Result{Format: d.returns, Outside: &outside, Files: []job.File{{Path: name, Bytes: n}}}, to.Close()
}

// start starts the program in its cage, with its own folder to write to.
func (l *launcher) start(c *exec.Cmd, command []string, limits job.Limits) error {
	temp := filepath.Join(l.folder, "temp")
	values := map[string]string{placeTemp: temp, placeTempURL: fileURL(temp)}
	env := map[string]string{}
	for name, value := range l.Converter.Env {
		env[name] = fill([]string{value}, values)[0]
	}
	cage := child.Cage{
		Sandbox: l.Sandbox, Command: append([]string{l.Program}, command[1:]...), Env: environment(temp, env), Dir: temp,
		Read: append([]string{l.Program}, l.Converter.Read...), Write: []string{l.folder}, File: limits.Disk,
		Sockets: socketFolders(l.Converter.Sockets),
	}
	if l.Converter.Mode == ModeFile {
		cage.CPU = limits.Timeout*time.Duration(cores()) + 5*time.Second
	}
	c.WaitDelay = 2 * time.Second // what it has started may hold its pipes open
	locks, err := cage.Start(c)
	if errors.Is(err, child.ErrNoCage) {
		return fault.New(fault.Sandbox, "", err)
	}
	if err != nil {
		return fault.New(fault.Internal, fmt.Sprintf("The outside converter %s cannot be started. Look at its settings (docs/outside-converters.md).", l.Converter.Name), err)
	}
	l.locks = locks
	return nil
}

// crash says what the program did wrong.
func (l *launcher) crash(did string, cause error) error {
	return fault.New(fault.Crash, fmt.Sprintf("The outside converter %s %s; nothing else was affected. Look at its settings, or report the file.", l.Converter.Name, did), cause)
}
