package azfunc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Defaults of the host, where host.json says nothing.
const (
	DefaultRoutePrefix     = "api"
	DefaultFunctionTimeout = 30 * time.Minute // 5 minutes on the Consumption plan
)

// RoutePrefix finds the prefix of all forwarded HTTP requests: the app setting in environ ("NAME=value"), else
// host.json in root, else DefaultRoutePrefix. An empty one is an error: with it and a catch-all route an outside caller
// reaches /<QueueFunction> through the host and can forge an envelope, since forwarded requests carry the same headers.
func RoutePrefix(root string, environ []string) (string, error) {
	prefix, found, err := hostSetting(root, environ, "extensions", "http", "routePrefix")
	if err != nil {
		return "", err
	}
	if !found {
		return DefaultRoutePrefix, nil
	}
	prefix = strings.Trim(prefix, "/")
	if prefix == "" {
		return "", fmt.Errorf("host.json: extensions.http.routePrefix is empty: outside callers could forge queue messages; set it to %q", DefaultRoutePrefix)
	}
	return prefix, nil
}

// FunctionTimeout finds when the host gives an invocation up and kills the handler: the app setting in environ, else
// host.json in root, else DefaultFunctionTimeout. 0 means never. The handler inherits the host's environment and runs in its
// folder, so it sees the same values.
func FunctionTimeout(root string, environ []string) (time.Duration, error) {
	text, found, err := hostSetting(root, environ, "functionTimeout")
	if err != nil {
		return 0, err
	}
	switch {
	case !found:
		return DefaultFunctionTimeout, nil
	case text == "-1":
		return 0, nil
	}
	timeout, err := ParseTimeSpan(text)
	if err != nil {
		return 0, fmt.Errorf("host.json: functionTimeout: %w", err)
	}
	return timeout, nil
}

// hostSetting reads one setting of host.json, with the app setting AzureFunctionsJobHost__a__b above it, as the job host does:
// without regard to case.
func hostSetting(root string, environ []string, path ...string) (value string, found bool, err error) {
	name := "AzureFunctionsJobHost__" + strings.Join(path, "__")
	for _, entry := range environ {
		if key, text, _ := strings.Cut(entry, "="); strings.EqualFold(key, name) {
			value, found = text, true
		}
	}
	if found {
		return value, true, nil
	}
	data, err := os.ReadFile(filepath.Join(root, "host.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	var tree any
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &tree); err != nil {
		return "", false, fmt.Errorf("read host.json: %w", err)
	}
	for _, step := range path {
		if tree = child(tree, step); tree == nil {
			return "", false, nil
		}
	}
	return fmt.Sprint(tree), true, nil
}

func child(tree any, name string) any {
	object, _ := tree.(map[string]any)
	for key, value := range object {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return nil
}
