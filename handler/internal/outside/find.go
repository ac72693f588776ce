package outside

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// versionLimit is how long a program may take to say its version; LibreOffice needs a second on a cold disk.
const versionLimit = 30 * time.Second

// Found is a converter whose program is there.
type Found struct {
	Converter
	Program string // absolute path
	Says    string // its version, as far as it can be asked
}

// Find looks which programs of the converters are installed. cache is a folder in which versions are remembered, by path, size and
// time of the program; empty means that every program is asked. A missing program is an error, except where the converter is built in.
func Find(ctx context.Context, list []Converter, cache string) ([]Found, error) {
	var found []Found
	for _, c := range list {
		program, err := exec.LookPath(c.Command[0])
		if err == nil {
			program, err = filepath.Abs(program)
		}
		if err != nil {
			if isBuiltIn(c) {
				continue
			}
			return nil, fmt.Errorf("converter %q: the program cannot be found: %w", c.Name, err)
		}
		if isBuiltIn(c) {
			if c, program = settle(c, program); !isThere(c, program) {
				continue
			}
		}
		found = append(found, Found{Converter: c, Program: program, Says: version(ctx, c, cache)})
	}
	return found, nil
}

// isBuiltIn tells whether the entry is one of ours, not one of the settings with its name.
func isBuiltIn(c Converter) bool {
	for _, b := range BuiltIn() {
		if c.Name == b.Name && strings.Join(c.Command, "\x00") == strings.Join(b.Command, "\x00") {
			return true
		}
	}
	return false
}

// version asks a program for its version, or remembers what it said. Not to know it is no reason to fail.
func version(ctx context.Context, c Converter, cache string) string {
	if len(c.Version) == 0 {
		return ""
	}
	program, err := exec.LookPath(c.Version[0])
	if err != nil {
		return ""
	}
	note := noteOf(cache, program, c.Version)
	if text, err := os.ReadFile(note); err == nil && note != "" {
		return string(text)
	}
	says := firstLine(ctx, program, c.Version[1:])
	if note != "" && says != "" {
		_ = os.WriteFile(note, []byte(says), 0o600) // only saves time
	}
	return says
}

// noteOf is the file in which the version is remembered.
func noteOf(cache, program string, command []string) string {
	target, err := filepath.EvalSymlinks(program)
	if cache == "" || err != nil {
		return ""
	}
	info, err := os.Stat(target)
	if err != nil {
		return ""
	}
	text, err := json.Marshal([]any{command, target, info.Size(), info.ModTime().UnixNano()})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return filepath.Join(cache, "version-"+hex.EncodeToString(sum[:8]))
}

// firstLine gives the first line that the program prints, at most 80 characters of it.
func firstLine(ctx context.Context, program string, arguments []string) string {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	home, err := os.MkdirTemp("", "decant-version-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(home)
	c := exec.CommandContext(ctx, program, arguments...)
	c.Env, c.Dir, c.WaitDelay = environment(home, nil), home, time.Second
	out, err := c.Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	line = strings.ToValidUTF8(strings.TrimSpace(line), "")
	return line[:min(len(line), 80)]
}

// environment is all that an outside program gets to see of an environment.
func environment(temp string, further map[string]string) []string {
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + temp, "TMPDIR=" + temp, "LANG=C.UTF-8"}
	for name, value := range further {
		env = append(env, name+"="+value)
	}
	return env
}

// Digest changes when any converter that is used does, so that results of another one are not taken for its own; empty when there is none.
func Digest(found []Found) string {
	if len(found) == 0 {
		return ""
	}
	h := sha256.New()
	for _, f := range found {
		c := f.Converter
		c.Limits = Limits{} // they decide whether there is a result, not which
		text, err := json.Marshal([]any{c, f.Says})
		if err != nil {
			panic("outside: internal error: a converter does not marshal: " + err.Error())
		}
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}
