package azfunctest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// environment is the host's, with the Values of local.settings.json below it: a variable that is set already wins, as
// Core Tools do it. Names are kept as they are; lookups ignore case, as the job host's do.
type environment struct{ values map[string]string }

func loadEnvironment(dir string, environ []string) (*environment, error) {
	env := &environment{map[string]string{}}
	data, err := os.ReadFile(filepath.Join(dir, "local.settings.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		var file struct {
			IsEncrypted bool
			Values      map[string]string
		}
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("read local.settings.json: %w", err)
		}
		if file.IsEncrypted {
			return nil, fmt.Errorf("local.settings.json: IsEncrypted: %w", ErrUnsupported)
		}
		maps.Copy(env.values, file.Values)
	}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			env.values[name] = value
		}
	}
	return env, nil
}

func (e *environment) lookup(name string) (string, bool) {
	if value, ok := e.values[name]; ok {
		return value, true
	}
	for key, value := range e.values {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// hasSection tells whether a connection of that name exists: as a value, or as NAME__something (identity).
func (e *environment) hasSection(name string) bool {
	if value, ok := e.lookup(name); ok && value != "" {
		return true
	}
	for key := range e.values {
		if len(key) > len(name)+2 && strings.EqualFold(key[:len(name)+2], name+"__") {
			return true
		}
	}
	return false
}

var reference = lazyregexp.New(`%([^%]+)%`)

// expand replaces %NAME% in function.json; one that is not set is an error, since the host cannot index such a function.
func (e *environment) expand(text string) (string, error) {
	var missing error
	expanded := reference.ReplaceAllStringFunc(text, func(match string) string {
		value, ok := e.lookup(strings.Trim(match, "%"))
		if !ok && missing == nil {
			missing = fmt.Errorf("%s does not resolve to a value: there is no such app setting", match)
		}
		return value
	})
	return expanded, missing
}

// expandBlank replaces %NAME% in paths and arguments of the handler; one that is not set becomes empty.
func (e *environment) expandBlank(text string) string {
	return reference.ReplaceAllStringFunc(text, func(match string) string {
		value, _ := e.lookup(strings.Trim(match, "%"))
		return value
	})
}

func (e *environment) list() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(e.values)) {
		list = append(list, name+"="+e.values[name])
	}
	return list
}

// setting is one leaf of host.json, or of an app setting above it.
type setting struct {
	name  string // customHandler.description.arguments.0
	value string
}

const overridePrefix = "AzureFunctionsJobHost__"

// loadSettings reads host.json into leaves, keyed by their names in lower case, and puts the app settings
// AzureFunctionsJobHost__a__b above them: double underscores are levels, case does not matter, arrays go by index.
func loadSettings(dir string, env *environment) (map[string]setting, error) {
	data, err := os.ReadFile(filepath.Join(dir, "host.json"))
	if err != nil {
		return nil, err // the real host writes one; an app without it is a mistake here
	}
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return nil, fmt.Errorf("read host.json: %w", err)
	}
	settings := map[string]setting{}
	flatten(settings, "", tree)
	for name, value := range env.values {
		if len(name) <= len(overridePrefix) || !strings.EqualFold(name[:len(overridePrefix)], overridePrefix) {
			continue
		}
		path := strings.ReplaceAll(name[len(overridePrefix):], "__", ".")
		settings[strings.ToLower(path)] = setting{path, value}
	}
	return settings, nil
}

func flatten(into map[string]setting, path string, value any) {
	below := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := value.(type) {
	case map[string]any:
		for name, child := range v {
			flatten(into, below(name), child)
		}
	case []any:
		for i, child := range v {
			flatten(into, below(strconv.Itoa(i)), child)
		}
	case nil:
	case bool:
		into[strings.ToLower(path)] = setting{path, strconv.FormatBool(v)}
	default:
		into[strings.ToLower(path)] = setting{path, fmt.Sprint(v)}
	}
}
