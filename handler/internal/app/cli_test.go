package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"decant/handler/internal/child"
	"decant/handler/internal/fault"
)

// TestMain makes the test binary be decant when it is asked to: as a command, and as the child that the command starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		os.Exit(childMain(os.Args[2:])) // of an outside converter
	}
	if len(os.Args) > 1 && os.Args[1] == "child" {
		os.Exit(child.Main(hostileProgram()))
	}
	if os.Getenv("DECANT_TEST_COMMAND") != "" {
		os.Exit(Main(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	code := m.Run()
	if staged.dir != "" {
		_ = os.RemoveAll(staged.dir) // in a folder for temporary files
	}
	os.Exit(code)
}

// outcome is how a command ended.
type outcome struct {
	code           int
	stdout, stderr string
}

// folderAsInput as standard input is the folder in which the command runs.
const folderAsInput = "<."

// decant runs the command in dir, with standard input and extra environment.
func decant(t *testing.T, dir, stdin string, args ...string) outcome {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	c := exec.CommandContext(t.Context(), exe, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "DECANT_TEST_COMMAND=1", "DECANT_STORAGE=", "DECANT_HOME="+filepath.Join(dir, "home"))
	c.Stdin = strings.NewReader(stdin)
	if stdin == folderAsInput {
		folder, err := os.Open(dir)
		must(t, err)
		defer folder.Close()
		c.Stdin = folder
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("good.md", "# Title\n\nText.\n")
	write("docs/a.txt", "a")
	write("docs/sub/b.txt", "b")
	write("docs/.hidden", "not read")
	write("odd/q?.md", "the first")
	write("odd/q_.md", "the second")
	write("zero.txt", "")
	write("locked.txt", "secret")
	must(t, os.Mkdir(filepath.Join(dir, "nothing"), 0o755))
	must(t, os.Chmod(filepath.Join(dir, "locked.txt"), 0))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, os.Symlink("moved.md", filepath.Join(dir, "astray")))
	must(t, os.MkdirAll(filepath.Join(dir, "links"), 0o755))
	must(t, os.Symlink("/no/such/place", filepath.Join(dir, "links", "old.md")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644))

	tests := []struct {
		name  string
		args  []string
		stdin string
		code  int
		says  string // on standard output or error
	}{
		{"a good file", []string{"convert", "good.md"}, "", fault.ExitOK, "1 converted"},
		{"the same again", []string{"convert", "good.md"}, "", fault.ExitOK, "1 unchanged"},
		{"again on request", []string{"convert", "good.md", "--again"}, "", fault.ExitOK, "1 converted"},
		{"other options", []string{"convert", "good.md", "--max-tokens", "64"}, "", fault.ExitOK, "1 converted"},
		{"a folder with what is in it", []string{"convert", "docs"}, "", fault.ExitOK, "2 converted"},
		{"a folder without files", []string{"convert", "nothing"}, "", fault.ExitSomeFailed, "has no files"},
		{"an empty file", []string{"convert", "zero.txt"}, "", fault.ExitSomeFailed, "empty (0 bytes)"},
		{"a missing path", []string{"convert", "missing.pdf"}, "", fault.ExitSomeFailed, "no file or folder missing.pdf"},
		{"a named pipe does not hang", []string{"convert", "pipe"}, "", fault.ExitSomeFailed, "named pipe"},
		{"good and bad together", []string{"convert", "good.md", "zero.txt"}, "", fault.ExitSomeFailed, "1 failed"},
		{"standard input as Markdown", []string{"convert", "-", "--format", "md"}, "<h1>Hello</h1>", fault.ExitOK, "# Hello"},
		{"standard input with a name", []string{"convert", "-", "--name", "t.csv", "--format", "md"}, "a,b\n1,2\n", fault.ExitOK, "| a | b |"},
		{"standard input over the limit", []string{"convert", "-", "--max-size", "10"}, "more than ten bytes", fault.ExitSomeFailed, "--max-size"},
		{"standard input twice", []string{"convert", "-", "-"}, "text", fault.ExitUsage, "once only"},
		{"a file in the temporary folder is no standard input", []string{"convert", filepath.Join(dir, "good.md"), "--format", "md"}, "", fault.ExitOK, "1 converted"},
		{"a folder as standard input", []string{"convert", "-"}, folderAsInput, fault.ExitSomeFailed, "Standard input is a folder"},
		{"standard input with a name that is none", []string{"convert", "-", "--name", "..", "--format", "md"}, "# Hello", fault.ExitOK, "# Hello"},
		{"standard input with a name that no disk takes", []string{"convert", "-", "--format", "md", "--name", strings.Repeat("a", 300) + ".md"}, "# Hello", fault.ExitOK, "# Hello"},
		{"no format at all", []string{"convert", "good.md", "--format", ""}, "", fault.ExitUsage, "--format is empty; name one of md, json"},
		{"no folder for results", []string{"convert", "good.md", "--out", ""}, "", fault.ExitUsage, "--out is empty"},
		{"an empty argument", []string{"convert", "good.md", ""}, "", fault.ExitUsage, "an argument is empty"},
		{"an empty argument of a precheck", []string{"precheck", ""}, "", fault.ExitUsage, "an argument is empty"},
		{"a precheck of standard input", []string{"precheck", "-"}, "text", fault.ExitUsage, "standard input is not read"},
		{"a precheck of a pipe", []string{"precheck", "pipe"}, "", fault.ExitSomeFailed, "pipe is a named pipe, not a file. Copy its content into a file.\n"},
		{"a precheck of a device", []string{"precheck", "/dev/zero"}, "", fault.ExitSomeFailed, "[1/1] /dev/zero: failed (bad_request): /dev/zero is a device"},
		{"a precheck that has no time", []string{"precheck", "good.md", "--timeout", "1ns"}, "", fault.ExitSomeFailed, "took longer than the limit of 1ns. Raise the limit (--timeout)."},
		{"a path through a file", []string{"convert", "good.md/inner"}, "", fault.ExitSomeFailed, "no file or folder good.md/inner (not a directory)"},
		{"a path that is too long", []string{"precheck", strings.Repeat("abcdefghi/", 500)}, "", fault.ExitSomeFailed, "(file name too long). Check the name."},
		{"a link to itself", []string{"convert", "loop"}, "", fault.ExitSomeFailed, "no file or folder loop (too many levels"},
		{"a link that leads nowhere", []string{"convert", "astray"}, "", fault.ExitSomeFailed, "astray is a link to moved.md, and there is nothing. Put back what it led to, or remove the link."},
		{"a link in a folder that leads nowhere", []string{"precheck", "links"}, "", fault.ExitSomeFailed, "links/old.md is a link to /no/such/place, and there is nothing."},
		{"an absolute path is shown as it is", []string{"convert", filepath.Join(dir, "docs", "a.txt"), "--again"}, "", fault.ExitOK, "[1/1] " + filepath.Join(dir, "docs", "a.txt") + ": text"},
		{"an absolute path that is missing", []string{"convert", "/no/such"}, "", fault.ExitSomeFailed, "\n/no/such: There is no file or folder /no/such."},
		{"nothing to convert", []string{"convert"}, "", fault.ExitUsage, "name at least one file"},
		{"an unknown option", []string{"convert", "--fast", "good.md"}, "", fault.ExitUsage, "--fast"},
		{"a wrong word", []string{"convert", "--strategy", "magic", "good.md"}, "", fault.ExitUsage, "hybrid, hierarchical"},
		{"no tokens at all", []string{"convert", "--max-tokens", "0", "good.md"}, "", fault.ExitUsage, "--max-tokens 0"},
		{"no tokens at all in a batch", []string{"batch", "submit", "--max-tokens", "0"}, "", fault.ExitUsage, "--max-tokens 0"},
		{"no time at all", []string{"convert", "--timeout", "0s", "good.md"}, "", fault.ExitUsage, "--timeout 0s"},
		{"no pages at all", []string{"convert", "--max-pages", "0", "good.md"}, "", fault.ExitUsage, "--max-pages 0"},
		{"a wrong size", []string{"convert", "--memory", "lots", "good.md"}, "", fault.ExitUsage, "512MiB"},
		{"a wrong size of results", []string{"convert", "--max-output", "0", "good.md"}, "", fault.ExitUsage, "--max-output 0: must be a size"},
		{"more results than allowed", []string{"convert", "--max-output", "10", "--again", "good.md"}, "", fault.ExitSomeFailed, "or raise the limit (--max-output, DECANT_MAX_OUTPUT)"},
		{"a document above the limit", []string{"convert", "--max-size", "2", "--again", "good.md"}, "", fault.ExitSomeFailed, "or raise the limit (--max-size, DECANT_MAX_INPUT)"},
		{"a cap in which nothing starts", []string{"convert", "--memory", "16MiB", "--again", "good.md"}, "", fault.ExitUsage, "at least 128 MiB"},
		{"a tokenizer that nobody has", []string{"convert", "--tokenizer", "klingon", "good.md"}, "", fault.ExitUsage, "unknown tokenizer"},
		{"a tokenizer file that is none", []string{"convert", "--tokenizer", "./good.md", "good.md"}, "", fault.ExitUsage, "read tokenizer"},
		{"what a folder leaves out is counted", []string{"convert", "docs"}, "", fault.ExitOK, "Left out: 1 hidden file or folder."},
		{"names that look the same on disk", []string{"convert", "odd/q?.md", "odd/q_.md"}, "", fault.ExitOK, "2 converted"},
		{"the same names again", []string{"convert", "odd/q?.md", "odd/q_.md"}, "", fault.ExitOK, "2 unchanged"},
		{"results into the folder itself", []string{"convert", "docs", "--out", "docs"}, "", fault.ExitUsage, "choose another folder"},
		{"a file named in two ways", []string{"convert", "good.md", filepath.Join(dir, "good.md"), "--again"}, "", fault.ExitOK, "[1/1]"},
		{"no results, no place of results", []string{"convert", "zero.txt", "--again"}, "", fault.ExitSomeFailed, "1 failed.\n"},
		{"no chunks asked for, none counted", []string{"convert", "docs/a.txt", "--again", "-f", "md"}, "", fault.ExitOK, "docs/a.txt: text, 0."},
		{"completion of words", []string{"__complete", "convert", "--strategy", ""}, "", fault.ExitOK, "hierarchical"},
		{"an unknown command", []string{"transmogrify"}, "", fault.ExitUsage, "transmogrify"},
		{"storage that is not set", []string{"status"}, "", fault.ExitUsage, "DECANT_STORAGE"},
		{"serve without a host", []string{"serve"}, "", fault.ExitUsage, "decant local"},
		{"version", []string{"version"}, "", fault.ExitOK, "decant "},
		{"completion", []string{"completion", "bash"}, "", fault.ExitOK, "bash completion"},
		{"completion of a shell that nobody has", []string{"completion", "bogus"}, "", fault.ExitUsage, `there is no completion for "bogus": name one of bash, fish, powershell, zsh`},
		{"completion of two shells", []string{"completion", "bash", "zsh"}, "", fault.ExitUsage, `unexpected argument "zsh"`},
		{"which shells there are", []string{"completion"}, "", fault.ExitOK, "powershell"},
		{"help on a command that is none", []string{"help", "bogus"}, "", fault.ExitUsage, `there is no command "bogus"`},
		{"help on a command", []string{"help", "batch", "submit"}, "", fault.ExitOK, "--prefix"},
	}
	if os.Geteuid() != 0 { // root reads everything
		tests = append(tests, struct {
			name  string
			args  []string
			stdin string
			code  int
			says  string
		}{"a file that may not be read", []string{"convert", "locked.txt"}, "", fault.ExitSomeFailed, "permissions"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := decant(t, dir, tt.stdin, tt.args...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d\n%s%s", got.code, tt.code, got.stdout, got.stderr)
			}
			if !strings.Contains(got.stdout+got.stderr, tt.says) {
				t.Errorf("it does not say %q:\n%s%s", tt.says, got.stdout, got.stderr)
			}
		})
	}
}

// TestNoOverlapOnRequest: an overlap of nothing is a wish like any other, and goes before the settings.
func TestNoOverlapOnRequest(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Title\n"), 0o644))
	t.Setenv("DECANT_OVERLAP", "20")
	for _, tt := range []struct {
		args []string
		code int
	}{
		{nil, fault.ExitUsage}, // more than the limit of a chunk
		{[]string{"--overlap", "0"}, fault.ExitOK},
	} {
		if got := decant(t, dir, "", append([]string{"convert", "a.md", "--max-tokens", "16"}, tt.args...)...); got.code != tt.code {
			t.Errorf("%v: exit code %d, want %d: %s", tt.args, got.code, tt.code, got.stderr)
		}
	}
}

// TestCacheThatIsNoFolder: a folder that cannot be used or trusted is named, whoever needs it.
func TestCacheThatIsNoFolder(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	must(t, os.Mkdir(open, 0o700))
	must(t, os.Chmod(open, 0o777)) // anybody could put native code there
	for _, folder := range []string{os.DevNull, open} {
		t.Setenv("DECANT_CACHE", folder)
		for _, args := range [][]string{{"warmup"}, {"precheck", "."}} {
			if got := decant(t, t.TempDir(), "", args...); got.code != fault.ExitUsage || !strings.Contains(got.stderr, "DECANT_CACHE="+folder) || folder == os.DevNull && !strings.Contains(got.stderr, "not a folder") {
				t.Errorf("%s with %s: exit code %d: %s", args[0], folder, got.code, got.stderr)
			}
		}
	}
}

// TestCacheInDisorder: what has another kind than it should have in a cache of native code is made anew, like what is damaged.
func TestCacheInDisorder(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("DECANT_CACHE", cache)
	warm := func() (code string) {
		t.Helper()
		if got := decant(t, t.TempDir(), "", "warmup"); got.code != fault.ExitOK {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		files, err := filepath.Glob(filepath.Join(cache, "*", "*", "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("the cache holds %v, %v", files, err)
		}
		return files[0]
	}
	code := warm()
	must(t, os.Remove(code))
	must(t, os.MkdirAll(filepath.Join(code, "inner"), 0o700))
	for _, path := range []string{warm(), filepath.Dir(code), filepath.Dir(filepath.Dir(code))} {
		must(t, os.RemoveAll(path))
		must(t, os.WriteFile(path, []byte("no code"), 0o600))
		warm()
	}
}

// TestNoTemporaryFolder: a wrong TMPDIR is named, as it is a setting like others.
func TestNoTemporaryFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	for _, args := range [][]string{{"convert", "x.md"}, {"precheck", "x.md"}} {
		if got := decant(t, dir, "", args...); got.code != fault.ExitUsage || !strings.Contains(got.stderr, "TMPDIR") {
			t.Errorf("%s: exit code %d: %s", args[0], got.code, got.stderr)
		}
	}
}

func TestStorageOutOfReach(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.Executable()
	must(t, err)
	c := exec.CommandContext(t.Context(), exe, "status")
	c.Dir = dir
	c.Env = append(os.Environ(), "DECANT_TEST_COMMAND=1",
		"DECANT_STORAGE=DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:1/a;QueueEndpoint=http://127.0.0.1:1/a;",
		"DECANT_COSMOS=AccountEndpoint=http://127.0.0.1:1/;AccountKey=a2V5;")
	out, _ := c.CombinedOutput()
	if c.ProcessState.ExitCode() != fault.ExitStorage || !strings.Contains(string(out), "cannot be reached") {
		t.Errorf("exit code %d: %s", c.ProcessState.ExitCode(), out)
	}
}

// TestHelpListsExitCodes keeps --help true: every code that the table of faults can give is explained.
func TestHelpListsExitCodes(t *testing.T) {
	help := decant(t, t.TempDir(), "", "--help").stdout
	codes := map[int]bool{fault.ExitUsage: true}
	for _, row := range fault.Rows() {
		codes[row.Exit] = true
	}
	for code := range codes {
		if !regexp.MustCompile(`(?m)^  ` + strconv.Itoa(code) + ` +\w`).MatchString(help) {
			t.Errorf("--help does not explain exit code %d", code)
		}
	}
}

func TestJSONReport(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "good.md"), []byte("# Title\n\nText.\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "bad.pdf"), []byte("%PDF-1.7\ngarbage"), 0o644))
	got := decant(t, dir, "", "convert", "good.md", "bad.pdf", "--json")
	var rows []row
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil {
		t.Fatalf("%v\n%s", err, got.stdout)
	}
	if len(rows) != 2 || rows[0].Status != "converted" || rows[0].Counts.Chunks != 1 || rows[1].Status != "failed" || rows[1].Fault != fault.Corrupt {
		t.Errorf("report = %+v", rows)
	}
	if _, err := os.Stat(filepath.Join(dir, rows[0].Results, "manifest.json")); err != nil {
		t.Errorf("the report names results that are not there: %v", err)
	}
}

// TestLargeText converts 300 MB of text, or says clearly why not; never more memory than the cap.
func TestLargeText(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory cap needs Linux")
	}
	if testing.Short() {
		t.Skip("writes 300 MB; -short leaves it out")
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "large.txt"))
	must(t, err)
	line := strings.Repeat("The level rose by twelve centimetres in the night. ", 20) + "\n\n"
	for n := 0; n < 300_000_000; n += len(line) {
		_, err := f.WriteString(line)
		must(t, err)
	}
	must(t, f.Close())
	got := decant(t, dir, "", "convert", "large.txt", "--json")
	var rows []row
	must(t, json.Unmarshal([]byte(got.stdout), &rows))
	if len(rows) != 1 {
		t.Fatalf("report = %s", got.stdout)
	}
	r := rows[0]
	t.Logf("%s %s, %.1f s, %d MiB, %d chunks", r.Status, r.Fault, r.Seconds, r.PeakMemory>>20, r.Counts.Chunks)
	ok := r.Status == "converted" && got.code == fault.ExitOK
	refused := r.Status == "failed" && got.code == fault.ExitSomeFailed && (r.Fault == fault.Memory || r.Fault == fault.TooLarge || r.Fault == fault.LimitOutput) && r.Message != ""
	if !ok && !refused {
		t.Errorf("exit code %d, report %+v", got.code, r)
	}
	if limit := int64(1<<30 + 64<<20); r.PeakMemory > limit {
		t.Errorf("peak memory %d MiB, the cap is 1,024 MiB", r.PeakMemory>>20)
	}
}

// TestDebugLayout: the page is written by the capped child, beside the other results.
func TestDebugLayout(t *testing.T) {
	dir := t.TempDir()
	sample, err := filepath.Abs(repository + "samples/tidal-paper.pdf")
	must(t, err)
	got := decant(t, dir, "", "convert", "--debug-layout", sample, "--quiet")
	if got.code != fault.ExitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var pages []string
	must(t, filepath.WalkDir(filepath.Join(dir, "out"), func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "layout.html" {
			pages = append(pages, path)
		}
		return err
	}))
	if len(pages) != 1 {
		t.Fatalf("%d layout pages", len(pages))
	}
	page, err := os.ReadFile(pages[0])
	must(t, err)
	for _, want := range []string{"data:image/png", `class="table"`, "Page 2"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
