package outside

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"decant/handler/internal/config"
	"decant/handler/internal/job"
	"decant/handler/internal/lazyregexp"
)

// Modes of a converter.
const (
	ModeFile   = "file"   // one process for each document
	ModeWorker = "worker" // one process for many documents, which speaks the protocol of worker.go
)

// Converter is one outside converter, as the settings describe it.
type Converter struct {
	Name       string            `json:"name"`
	Formats    []string          `json:"formats,omitempty"`    // names of formats, as `decant formats --json` lists them
	Extensions []string          `json:"extensions,omitempty"` // further files, by the end of their name
	MediaTypes []string          `json:"mediaTypes,omitempty"` // further files, by their declared type
	Mode       string            `json:"mode,omitempty"`       // file by default
	Command    []string          `json:"command"`              // program and arguments, with placeholders (place)
	Returns    string            `json:"returns"`              // name of the format that comes back, one that decant reads itself
	Version    []string          `json:"version,omitempty"`    // command that prints the version on its first line
	Env        map[string]string `json:"env,omitempty"`        // with placeholders; nothing else but PATH, HOME, TMPDIR and LANG is set
	Read       []string          `json:"read,omitempty"`       // files and folders that it may read beside what is installed
	Files      map[string]string `json:"files,omitempty"`      // files that are put below {temp} before it starts: name and content
	Sockets    []string          `json:"sockets,omitempty"`    // patterns of local sockets that it insists on making outside its folder
	Again      []int             `json:"again,omitempty"`      // exit codes by which it asks, in file mode, to be started once more
	Limits     Limits            `json:"limits,omitzero"`
	Disabled   bool              `json:"disabled,omitempty"` // switches a built-in converter off
}

// Limits bound a converter. Zero means the document's own limit, or the default that is named.
type Limits struct {
	Memory     Size     `json:"memory,omitempty"`     // bytes of the whole process group
	Timeout    Duration `json:"timeout,omitempty"`    // wall clock of one document
	NoProgress Duration `json:"noProgress,omitempty"` // longest silence
	Start      Duration `json:"start,omitempty"`      // a worker's way to ready; default 2 minutes
	Documents  int      `json:"documents,omitempty"`  // of one worker process; default 100
	Recycle    Size     `json:"recycle,omitempty"`    // resident bytes above which a worker is replaced; default three quarters of memory
	Idle       Duration `json:"idle,omitempty"`       // how long a worker waits for its next document; default 5 minutes
	Processes  int      `json:"processes,omitempty"`  // at once; default 1 for workers, for files as many as documents are converted
}

// Size is a number of bytes, written as "512MiB".
type Size int64

// UnmarshalJSON reads a size.
func (s *Size) UnmarshalJSON(text []byte) error {
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return errors.New(`a size must be a text such as "512MiB"`)
	}
	n, err := config.ParseSize(word)
	*s = Size(n)
	return err
}

// MarshalJSON writes a size so that it can be read again.
func (s Size) MarshalJSON() ([]byte, error) { return json.Marshal(fmt.Sprintf("%dB", int64(s))) }

// Duration is a span of time, written as "90s".
type Duration time.Duration

// UnmarshalJSON reads a duration.
func (d *Duration) UnmarshalJSON(text []byte) error {
	var word string
	err := json.Unmarshal(text, &word)
	if err != nil {
		return errors.New(`a duration must be a text such as "90s"`)
	}
	span, err := time.ParseDuration(word)
	if err != nil || span <= 0 {
		return fmt.Errorf("%q must be a duration above zero such as 90s or 10m", word)
	}
	*d = Duration(span)
	return nil
}

// MarshalJSON writes a duration so that it can be read again.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

func (c Converter) withDefaults() Converter {
	c.Mode = cmp.Or(c.Mode, ModeFile)
	l := &c.Limits
	l.Start, l.Idle = cmp.Or(l.Start, Duration(2*time.Minute)), cmp.Or(l.Idle, Duration(5*time.Minute))
	l.Documents = cmp.Or(l.Documents, 100)
	if c.Mode == ModeFile {
		l.Documents = 1
	} else {
		l.Processes = cmp.Or(l.Processes, 1)
	}
	return c
}

// route is what a child has to know of the converter.
func (c Converter) route() job.Route {
	return job.Route{Converter: c.Name, Formats: c.Formats, Extensions: c.Extensions, MediaTypes: c.MediaTypes}
}

var nameRule = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,39}$`)

// check says everything that is wrong with the entry. known are the formats by name, with true for those that decant reads itself.
func (c Converter) check(known map[string]bool) error {
	var problems []error
	wrong := func(bad bool, format string, args ...any) {
		if bad {
			problems = append(problems, fmt.Errorf("converter %q: "+format, append([]any{c.Name}, args...)...))
		}
	}
	wrong(!nameRule.MatchString(c.Name), "name must be 1 to 40 characters of a-z, 0-9, dot, hyphen and underscore")
	if c.Disabled {
		return errors.Join(problems...)
	}
	wrong(len(c.Formats)+len(c.Extensions)+len(c.MediaTypes) == 0, "formats, extensions or mediaTypes must name what it reads")
	for _, f := range c.Formats {
		_, ok := known[f]
		wrong(!ok, "formats: there is no format %q (`decant formats --json` lists their names); for files that decant does not know use extensions", f)
	}
	for _, e := range c.Extensions {
		wrong(!strings.HasPrefix(e, ".") || e != strings.ToLower(e), "extensions: %q must be lower case and begin with a dot", e)
	}
	wrong(c.Mode != ModeFile && c.Mode != ModeWorker, "mode must be %s or %s", ModeFile, ModeWorker)
	wrong(len(c.Command) == 0 || c.Command[0] == "", "command must name a program")
	wrong(!known[c.Returns], "returns must be the name of a format that decant reads itself, such as markdown, html, docx or docling")
	wrong(c.Limits.Memory != 0 && int64(c.Limits.Memory) < 128*job.MiB, "limits.memory must be 128MiB or more")
	wrong(c.Limits.Documents < 0 || c.Limits.Processes < 0, "limits must not be negative")
	for _, path := range c.Read {
		wrong(!filepath.IsAbs(path), "read: %q must be an absolute path", path)
	}
	for _, pattern := range c.Sockets {
		_, err := filepath.Match(pattern, "")
		wrong(err != nil || !filepath.IsAbs(pattern) || strings.ContainsAny(filepath.Dir(pattern), "*?["), "sockets: %q must be an absolute path with a pattern in its last part only", pattern)
	}
	for name := range c.Files {
		wrong(!filepath.IsLocal(name), "files: %q must lie below the temporary folder", name)
	}
	for _, word := range slices.Concat(c.Command, slices.Collect(mapValues(c.Env))) {
		wrong(unknownPlaceholder(word) != "", "there is no placeholder %s", unknownPlaceholder(word))
	}
	return errors.Join(problems...)
}

func mapValues(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}
