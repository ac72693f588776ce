package azfunctest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// function is one folder with a function.json.
type function struct {
	name    string
	trigger binding
	queue   string   // expanded, for queue triggers
	cron    schedule // for timer triggers
	route   route    // for HTTP triggers
}

// binding is an element of "bindings", with the members that are understood.
type binding struct {
	Name         string
	Type         string
	Direction    string
	DataType     string
	QueueName    string
	Connection   string
	Schedule     string
	RunOnStartup bool
	UseMonitor   *bool
	AuthLevel    string
	Methods      []string
	Route        *string
}

// functionName is what the host allows (host: Utility.cs).
var functionName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]{0,127}$`)

// Dropped is a function that the host leaves out because its function.json is wrong; the host itself starts nevertheless.
type Dropped struct {
	Function string
	Reason   error
}

// discover reads the immediate subfolders of the app folder; there is no recursion (host: HostFunctionMetadataProvider.cs).
// The error is a refusal of the stand-in; what the real host would drop is in the second result.
func discover(dir string, c *hostConfig, env *environment) ([]*function, []Dropped, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	var functions []*function
	var dropped []Dropped
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name(), "function.json"))
		if err != nil || (len(c.functions) > 0 && !slices.Contains(c.functions, entry.Name())) {
			continue
		}
		f, err := readFunction(entry.Name(), data, c, env)
		switch {
		case errors.Is(err, ErrUnsupported):
			return nil, nil, fmt.Errorf("%s/function.json: %w", entry.Name(), err)
		case err != nil:
			dropped = append(dropped, Dropped{entry.Name(), err})
		case f != nil:
			functions = append(functions, f)
		}
	}
	return functions, dropped, oneConnection(functions)
}

func readFunction(name string, data []byte, c *hostConfig, env *environment) (*function, error) {
	if !functionName.MatchString(name) || strings.EqualFold(name, "host") {
		return nil, fmt.Errorf("%q is not a function's name", name)
	}
	var file struct {
		Schema   string `json:"$schema"`
		Disabled bool
		Bindings []json.RawMessage
	}
	if err := strictly(data, &file); err != nil {
		return nil, err
	}
	if file.Disabled {
		return nil, nil
	}
	var bindings []binding
	for _, raw := range file.Bindings {
		var b binding
		if err := strictly(raw, &b); err != nil {
			return nil, err
		}
		bindings = append(bindings, b)
	}
	trigger, err := checkBindings(bindings)
	if err != nil {
		return nil, err
	}
	f := &function{name: name, trigger: trigger}
	switch strings.ToLower(trigger.Type) {
	case "queuetrigger":
		return f, f.bindQueue(bindings, env)
	case "timertrigger":
		return f, f.bindTimer(bindings, env)
	case "httptrigger":
		return f, f.bindHTTP(bindings, c)
	}
	return nil, fmt.Errorf("%w: trigger type %q", ErrUnsupported, trigger.Type)
}

// strictly unmarshals JSON; a member that is not understood is refused by its name.
func strictly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err != nil && strings.Contains(err.Error(), "unknown field") {
		return fmt.Errorf("%w: %s", ErrUnsupported, strings.TrimPrefix(err.Error(), "json: unknown "))
	}
	return err
}

// checkBindings is what the host checks (host: FunctionDescriptorProvider.cs): at least one binding, one trigger, unique names.
func checkBindings(bindings []binding) (binding, error) {
	var triggers []binding
	names := map[string]bool{}
	for _, b := range bindings {
		if b.Name == "" || names[strings.ToLower(b.Name)] {
			return binding{}, fmt.Errorf("binding name %q is empty or used twice", b.Name)
		}
		names[strings.ToLower(b.Name)] = true
		if strings.HasSuffix(strings.ToLower(b.Type), "trigger") {
			triggers = append(triggers, b)
		}
	}
	if len(triggers) != 1 {
		return binding{}, fmt.Errorf("%d triggers, there must be one", len(triggers))
	}
	if d := triggers[0].Direction; d != "" && !strings.EqualFold(d, "in") {
		return binding{}, fmt.Errorf("the trigger's direction is %q, it must be in", d)
	}
	return triggers[0], nil
}

// alone refuses further bindings: their data would have to be fetched or written by the host.
func alone(bindings []binding) error {
	for _, b := range bindings {
		if !strings.HasSuffix(strings.ToLower(b.Type), "trigger") {
			return fmt.Errorf("%w: binding %q of type %q", ErrUnsupported, b.Name, b.Type)
		}
	}
	return nil
}

var queueName = lazyregexp.New(`^[a-z0-9](-?[a-z0-9])*$`)

func (f *function) bindQueue(bindings []binding, env *environment) error {
	if err := alone(bindings); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "string", "binary"}, strings.ToLower(f.trigger.DataType)) {
		return fmt.Errorf("%w: dataType %q", ErrUnsupported, f.trigger.DataType)
	}
	queue, err := env.expand(f.trigger.QueueName)
	if err != nil {
		return err
	}
	if len(queue) < 3 || len(queue) > 63 || !queueName.MatchString(queue) {
		return fmt.Errorf("%q is not a queue's name", queue)
	}
	f.queue = queue
	if f.trigger.Connection == "" {
		f.trigger.Connection = "Storage"
	}
	// A connection X is looked up as AzureWebJobsX, then X (webjobs-sdk: IConfigurationExtensions.cs).
	if !env.hasSection("AzureWebJobs"+f.trigger.Connection) && !env.hasSection(f.trigger.Connection) {
		return fmt.Errorf("there is no app setting for the connection %q", f.trigger.Connection)
	}
	return nil
}

func oneConnection(functions []*function) error {
	var first *function
	for _, f := range functions {
		switch {
		case f.queue == "":
		case first == nil:
			first = f
		case !strings.EqualFold(f.trigger.Connection, first.trigger.Connection):
			return fmt.Errorf("%w: queues of two connections, %q and %q", ErrUnsupported, first.trigger.Connection, f.trigger.Connection)
		}
	}
	return nil
}

func (f *function) bindTimer(bindings []binding, env *environment) error {
	if err := alone(bindings); err != nil {
		return err
	}
	expression, err := env.expand(f.trigger.Schedule)
	if err != nil {
		return err
	}
	f.cron, err = parseSchedule(expression)
	return err
}

// bindHTTP takes functions with one httpTrigger and one http output only: those are forwarded (host: FunctionMetadataExtensions.cs).
func (f *function) bindHTTP(bindings []binding, c *hostConfig) error {
	if !c.forwarding {
		return fmt.Errorf("%w: HTTP functions without customHandler.enableForwardingHttpRequest", ErrUnsupported)
	}
	if len(bindings) != 2 || !slices.ContainsFunc(bindings, func(b binding) bool {
		return strings.EqualFold(b.Type, "http") && strings.EqualFold(b.Direction, "out")
	}) {
		return fmt.Errorf("%w: HTTP functions with other bindings than httpTrigger and one http output", ErrUnsupported)
	}
	if !slices.Contains([]string{"", "anonymous", "function", "admin"}, strings.ToLower(f.trigger.AuthLevel)) {
		return fmt.Errorf("authLevel %q", f.trigger.AuthLevel)
	}
	template := f.name
	if f.trigger.Route != nil && *f.trigger.Route != "" {
		template = *f.trigger.Route
	}
	var err error
	f.route, err = parseRoute(template)
	return err
}
