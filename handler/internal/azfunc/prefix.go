package azfunc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// DefaultRoutePrefix is what the host puts before the routes of HTTP functions when host.json does not say otherwise.
const DefaultRoutePrefix = "api"

const routePrefixSetting = "AzureFunctionsJobHost__extensions__http__routePrefix"

// RoutePrefix finds the prefix of all forwarded HTTP requests: the app setting in environ ("NAME=value"), else
// host.json in root, else DefaultRoutePrefix. An empty one is an error: with it and a catch-all route an outside caller
// reaches /<QueueFunction> through the host and can forge an envelope, since forwarded requests carry the same headers.
func RoutePrefix(root string, environ []string) (string, error) {
	prefix, err := routePrefixOf(filepath.Join(root, "host.json"))
	if err != nil {
		return "", err
	}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.EqualFold(name, routePrefixSetting) {
			prefix = value
		}
	}
	prefix = strings.Trim(prefix, "/")
	if prefix == "" {
		return "", fmt.Errorf("host.json: extensions.http.routePrefix is empty: outside callers could forge queue messages; set it to %q", DefaultRoutePrefix)
	}
	return prefix, nil
}

func routePrefixOf(file string) (string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return DefaultRoutePrefix, nil
	}
	if err != nil {
		return "", err
	}
	var host struct {
		Extensions struct {
			HTTP struct{ RoutePrefix *string }
		}
	}
	if err := json.Unmarshal(data, &host); err != nil {
		return "", fmt.Errorf("read host.json: %w", err)
	}
	if p := host.Extensions.HTTP.RoutePrefix; p != nil {
		return *p, nil
	}
	return DefaultRoutePrefix, nil
}
