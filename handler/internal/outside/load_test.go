//go:build linux

package outside_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/outside"
)

func load(t *testing.T, text string) ([]outside.Converter, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "converters.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return outside.Load(path, known())
}

// TestLoadSaysEverythingThatIsWrong in one error.
func TestLoadSaysEverythingThatIsWrong(t *testing.T) {
	_, err := load(t, `{"converters": [
		{"name": "Über", "formats": ["pdf", "pfd"], "command": ["x", "{inptu}"], "returns": "doc", "mode": "daemon", "extensions": ["DWG"]},
		{"name": "b", "command": [], "returns": "markdown", "read": ["models"], "files": {"../x": ""}, "limits": {"memory": "1MiB"}, "sockets": ["/t*/x"]},
		{"name": "b", "extensions": [".x"], "command": ["x"], "returns": "html"}
	]}`)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`converter "Über": name must be`, `there is no format "pfd"`, "no placeholder {inptu}", "returns must be the name", "mode must be file or worker",
		`"DWG" must be lower case`, `converter "b": formats, extensions or mediaTypes`, "command must name", `"models" must be an absolute path`,
		`"../x" must lie below`, "limits.memory must be", `converter "b" is there twice`, "sockets:",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"unknown field": `{"converters": [{"name": "a", "comand": ["x"]}]}`,
		"bad size":      `{"converters": [{"name": "a", "limits": {"memory": 5}}]}`,
		"bad duration":  `{"converters": [{"name": "a", "limits": {"timeout": "-3s"}}]}`,
		"no JSON":       `converters:`,
	} {
		if _, err := load(t, text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestBuiltInCanBeReplaced: an entry takes the place of the built-in one of its name, and comes before the others.
func TestBuiltInCanBeReplaced(t *testing.T) {
	list, err := load(t, `{"converters": [
		{"name": "libreoffice-calc", "disabled": true},
		{"name": "libreoffice-writer", "formats": ["doc"], "command": ["antiword", "-x", "db", "{input}"], "returns": "xml"},
		{"name": "docling", "formats": ["pdf"], "command": ["python3", "worker.py"], "mode": "worker", "returns": "docling", "limits": {"memory": "4GiB", "start": "90s"}}
	]}`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list {
		names = append(names, c.Name+" "+c.Command[0])
	}
	if got := strings.Join(names, ", "); got != "libreoffice-writer antiword, docling python3, libreoffice-impress soffice" {
		t.Errorf("converters: %s", got)
	}
	if l := list[1].Limits; l.Memory != 4<<30 || l.Documents != 100 || l.Processes != 1 {
		t.Errorf("limits %+v", l)
	}
}

// TestMissingProgram: that of an entry in the settings is an error, that of a built-in one is not.
func TestMissingProgram(t *testing.T) {
	if _, err := outside.Find(t.Context(), []outside.Converter{{Name: "x", Command: []string{"no-such-program-anywhere"}}}, ""); err == nil {
		t.Error("no error")
	}
	t.Setenv("PATH", t.TempDir())
	if found, err := outside.Find(t.Context(), outside.BuiltIn(), ""); err != nil || len(found) != 0 {
		t.Errorf("Find = %v, %v", found, err)
	}
}

// TestDigest changes with what a converter gives, not with how long it may take.
func TestDigest(t *testing.T) {
	base := outside.Found{Converter: outside.Converter{Name: "a", Command: []string{"x"}, Returns: "html"}, Says: "1"}
	same, version, command := base, base, base
	same.Limits.Documents = 7
	version.Says = "2"
	command.Command = []string{"x", "-y"}
	digest := func(f ...outside.Found) string { return outside.Digest(f) }
	if digest(base) != digest(same) || digest(base) == digest(version) || digest(base) == digest(command) || digest() != "" {
		t.Error(digest(base), digest(same), digest(version), digest(command), digest())
	}
}

// TestMissingPart: LibreOffice without its sheets reads no workbooks, so that the fault can say what to install.
func TestMissingPart(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"soffice": "#!/bin/sh\necho LibreOffice 99.1\n", "soffice.bin": "", "libswlo.so": "", "versionrc": "[Version]\nbuildid=abc\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	found, err := outside.Find(t.Context(), outside.BuiltIn(), t.TempDir())
	if err != nil || len(found) != 1 || found[0].Name != "libreoffice-writer" || filepath.Base(found[0].Program) != "soffice.bin" {
		t.Fatalf("Find = %+v, %v", found, err)
	}
	if got := found[0].Files["profile/user/extensions/buildid"]; got != "abc" {
		t.Errorf("build number in the profile: %q", got)
	}
}
