//go:build linux

package outside_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The fake programs do what the document says, line by line. What a well-behaved one adds to its result is the text.

// order and answer are the protocol, written from its documentation.
type order struct {
	Type   string `json:"type"`
	ID     int    `json:"id"`
	Input  string `json:"input"`
	Output string `json:"output"`
	Name   string `json:"name"`
	Format string `json:"format"`
}

func fakeWorker(args []string) int {
	if slices.Contains(args, "never-ready") {
		time.Sleep(time.Hour)
	}
	if slices.Contains(args, "die-at-start") {
		fmt.Fprintln(os.Stderr, "no model here")
		return 4
	}
	tell(map[string]any{"type": "ready", "protocol": 1, "name": "fake", "version": "Fake 1.0"})
	w := &fake{out: os.Stdout}
	for s := bufio.NewScanner(os.Stdin); s.Scan(); {
		var o order
		if json.Unmarshal(s.Bytes(), &o) != nil || o.Type != "convert" {
			return 5
		}
		w.id = o.ID
		w.file = filepath.Join(o.Output, "document.md")
		w.work(o.Input)
		if w.silent {
			continue
		}
		_ = os.WriteFile(w.file, []byte(w.text.String()), 0o600)
		tell(map[string]any{"type": "done", "id": o.ID, "file": "document.md"})
		if w.twice {
			tell(map[string]any{"type": "done", "id": o.ID, "file": "document.md"})
		}
	}
	return 0
}

func fakeProgram(args []string) int {
	w := &fake{out: os.Stderr}
	if len(args) > 1 {
		w.file = args[1]
	}
	w.work(args[0])
	switch {
	case w.silent:
	case w.file == "":
		fmt.Print(w.text.String())
	default:
		if os.WriteFile(w.file, []byte(w.text.String()), 0o600) != nil {
			return 6
		}
	}
	return 0
}

func tell(v any) {
	text, _ := json.Marshal(v)
	fmt.Printf("%s\n", text)
}

type fake struct {
	out    *os.File
	id     int
	file   string
	text   strings.Builder
	silent bool // it has answered in its own way
	twice  bool
	kept   [][]byte
}

func (w *fake) work(input string) {
	w.text.Reset()
	w.silent, w.twice = false, false
	text, err := os.ReadFile(input)
	if err != nil {
		fmt.Fprintln(&w.text, "cannot read:", err)
	}
	for line := range strings.Lines(string(text)) {
		name, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
		do, ok := instructions[name]
		if !ok {
			fmt.Fprintln(&w.text, "unknown instruction", name)
			continue
		}
		do(w, argument)
	}
}

var instructions = map[string]func(*fake, string){
	"text":  func(w *fake, a string) { fmt.Fprintf(&w.text, "%s\n\n", a) },
	"pid":   func(w *fake, _ string) { fmt.Fprintf(&w.text, "process %d\n\n", os.Getppid()*100000+os.Getpid()) },
	"leak":  func(w *fake, a string) { w.kept = append(w.kept, touched(number(a))) },
	"heap":  func(w *fake, a string) { touched(number(a)) },
	"hang":  func(*fake, string) { time.Sleep(time.Hour) },
	"sleep": func(_ *fake, a string) { _ = exec.Command("/bin/sleep", a).Start() },
	"spin":  func(*fake, string) { spin(time.Hour) },
	"work":  func(_ *fake, a string) { spin(time.Duration(number(a)) * time.Millisecond) },
	"exit":  func(_ *fake, a string) { fmt.Fprintln(os.Stderr, "told to exit"); os.Exit(number(a)) },
	"kill":  func(*fake, string) { _ = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGKILL); time.Sleep(time.Hour) },
	"rubbish": func(w *fake, _ string) {
		fmt.Fprintln(w.out, "Loading model: 100%")
		w.silent = true
	},
	"endless-line": func(w *fake, _ string) { fmt.Fprint(w.out, strings.Repeat("x", 3<<20)); w.silent = true },
	"stranger": func(w *fake, _ string) {
		tell(map[string]any{"type": "done", "id": 4711, "file": "document.md"})
		w.silent = true
	},
	"twice": func(w *fake, _ string) { w.twice = true },
	"progress": func(w *fake, a string) {
		tell(map[string]any{"type": "progress", "id": w.id, "page": number(a), "pages": 9})
	},
	"fail": func(w *fake, a string) {
		tell(map[string]any{"type": "failed", "id": w.id, "kind": a, "message": "It says " + a + "."})
		w.silent = true
	},
	"elsewhere": func(w *fake, a string) {
		tell(map[string]any{"type": "done", "id": w.id, "file": a})
		w.silent = true
	},
	"link": func(w *fake, a string) { _ = os.Remove(w.file); _ = os.Symlink(a, w.file); w.file = os.DevNull },
	"second": func(w *fake, a string) {
		_ = os.WriteFile(filepath.Join(filepath.Dir(w.file), a), []byte("more"), 0o600)
	},
	"blank":   func(*fake, string) {},
	"nothing": func(w *fake, _ string) { w.silent = true },
	"fill":    func(w *fake, a string) { fill(filepath.Join(os.TempDir(), "fill"), number(a)) },
	"attack":  func(w *fake, a string) { attack(w, a) },
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// touched takes memory and uses it.
func touched(mebibytes int) []byte {
	data := make([]byte, mebibytes<<20)
	for i := 0; i < len(data); i += 4096 {
		data[i] = 1
	}
	return data
}

func spin(span time.Duration) {
	for end := time.Now().Add(span); time.Now().Before(end); {
	}
}

// fill writes files until there are so many mebibytes, or it may not.
func fill(base string, mebibytes int) {
	for i := range mebibytes {
		if os.WriteFile(base+strconv.Itoa(i), make([]byte, 1<<20), 0o600) != nil {
			return
		}
	}
	time.Sleep(time.Hour)
}
