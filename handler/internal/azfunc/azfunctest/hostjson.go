package azfunctest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"decant/handler/internal/azfunc"
)

// hostConfig is host.json as it counts, app settings included.
type hostConfig struct {
	version         string
	functionTimeout time.Duration // 0: none
	functions       []string      // allow-list of names; empty: all

	executable       string
	workerPath       string
	arguments        []string
	workerArguments  []string
	workingDirectory string
	workerDirectory  string
	forwarding       bool
	errorsOnly       bool // standard error is for errors only
	initialization   time.Duration
	handler          bool // there is a customHandler section

	routePrefix string
	queues      queueConfig
}

// queueConfig is extensions.queues (extension: QueuesOptions.cs).
type queueConfig struct {
	batchSize          int
	newBatchThreshold  int // -1: batchSize/2 times the number of processors
	maxDequeueCount    int
	visibilityTimeout  time.Duration // the delay before a failed message comes back
	maxPollingInterval time.Duration
	base64             bool // messageEncoding
}

func defaultConfig() *hostConfig {
	return &hostConfig{
		functionTimeout: 30 * time.Minute, errorsOnly: true, initialization: 30 * time.Second, routePrefix: "api",
		queues: queueConfig{batchSize: 16, newBatchThreshold: -1, maxDequeueCount: 5, maxPollingInterval: 2 * time.Second, base64: true},
	}
}

// binders read the settings that are understood.
var binders = map[string]func(*hostConfig, string) error{
	"version":         func(c *hostConfig, v string) error { c.version = v; return nil },
	"functiontimeout": bindTimeout,

	"customhandler.type": func(_ *hostConfig, v string) error {
		if !strings.EqualFold(v, "http") {
			return fmt.Errorf("%w: type %q", ErrUnsupported, v)
		}
		return nil
	},
	"customhandler.description.defaultexecutablepath":          text(func(c *hostConfig) *string { return &c.executable }),
	"customhandler.description.defaultworkerpath":              text(func(c *hostConfig) *string { return &c.workerPath }),
	"customhandler.description.workingdirectory":               text(func(c *hostConfig) *string { return &c.workingDirectory }),
	"customhandler.description.workerdirectory":                text(func(c *hostConfig) *string { return &c.workerDirectory }),
	"customhandler.description.arguments":                      jsonList(func(c *hostConfig) *[]string { return &c.arguments }),
	"customhandler.description.workerarguments":                jsonList(func(c *hostConfig) *[]string { return &c.workerArguments }),
	"customhandler.description.usestderrorstreamforerrorsonly": flag(func(c *hostConfig) *bool { return &c.errorsOnly }),
	"customhandler.enableforwardinghttprequest":                flag(func(c *hostConfig) *bool { return &c.forwarding }),
	"customhandler.initializationtimeout":                      span(func(c *hostConfig) *time.Duration { return &c.initialization }),

	"extensions.http.routeprefix": func(c *hostConfig, v string) error { c.routePrefix = strings.Trim(v, "/"); return nil },

	"extensions.queues.batchsize":         number(1, 32, func(c *hostConfig) *int { return &c.queues.batchSize }),
	"extensions.queues.newbatchthreshold": number(0, 1<<20, func(c *hostConfig) *int { return &c.queues.newBatchThreshold }),
	"extensions.queues.maxdequeuecount":   number(1, 1<<20, func(c *hostConfig) *int { return &c.queues.maxDequeueCount }),
	"extensions.queues.visibilitytimeout": span(func(c *hostConfig) *time.Duration { return &c.queues.visibilityTimeout }),
	"extensions.queues.maxpollinginterval": func(c *hostConfig, v string) error {
		d, err := azfunc.ParseTimeSpan(v)
		if err == nil && d < 100*time.Millisecond {
			err = errors.New("must be 100 ms or more")
		}
		c.queues.maxPollingInterval = d
		return err
	},
	"extensions.queues.messageencoding": func(c *hostConfig, v string) error {
		c.queues.base64 = strings.EqualFold(v, "base64")
		if !c.queues.base64 && !strings.EqualFold(v, "none") {
			return errors.New("must be base64 or none")
		}
		return nil
	},
}

// lists are arrays: the index follows the name.
var lists = map[string]func(*hostConfig) *[]string{
	"functions.":                                 func(c *hostConfig) *[]string { return &c.functions },
	"customhandler.description.arguments.":       func(c *hostConfig) *[]string { return &c.arguments },
	"customhandler.description.workerarguments.": func(c *hostConfig) *[]string { return &c.workerArguments },
}

// without are settings that change nothing about what the handler meets.
var without = []string{"logging.", "extensionbundle.", "telemetrymode", "$schema", "healthmonitor.", "manageddependency."}

// bindConfig reads the settings; one that is not understood is refused by its name.
func bindConfig(settings map[string]setting) (*hostConfig, error) {
	c := defaultConfig()
	var problems []error
	for _, key := range sortedKeys(settings) {
		s := settings[key]
		c.handler = c.handler || strings.HasPrefix(key, "customhandler.")
		if err := bindOne(c, key, s.value); err != nil {
			problems = append(problems, fmt.Errorf("host.json: %s=%s: %w", s.name, s.value, err))
		}
	}
	switch {
	case c.version != "2.0":
		problems = append(problems, fmt.Errorf(`host.json: version is %q, it must be "2.0"`, c.version))
	case !c.handler:
		problems = append(problems, errors.New("host.json: there is no customHandler section"))
	case c.executable == "":
		problems = append(problems, errors.New("host.json: customHandler.description.defaultExecutablePath is missing"))
	}
	if c.queues.newBatchThreshold < 0 {
		c.queues.newBatchThreshold = c.queues.batchSize / 2 * runtime.NumCPU()
	}
	return c, errors.Join(problems...)
}

func bindOne(c *hostConfig, key, value string) error {
	if bind, ok := binders[key]; ok {
		return bind(c, value)
	}
	for prefix, field := range lists {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			if _, err := strconv.Atoi(rest); err != nil {
				break
			}
			list := field(c)
			*list = append(*list, value)
			return nil
		}
	}
	if slices.ContainsFunc(without, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
		return nil
	}
	return ErrUnsupported
}

// sortedKeys puts array elements in the order of their numbers, and after them a list given as one text, which replaces them
// (host: HttpWorkerOptionsSetup.cs).
func sortedKeys(settings map[string]setting) []string {
	return slices.SortedFunc(maps.Keys(settings), func(a, b string) int {
		return strings.Compare(padIndex(a), padIndex(b))
	})
}

func padIndex(key string) string {
	if _, isList := lists[key+"."]; isList {
		return key + ".~"
	}
	dot := strings.LastIndexByte(key, '.')
	if n, err := strconv.Atoi(key[dot+1:]); err == nil {
		return fmt.Sprintf("%s.%06d", key[:max(dot, 0)], n)
	}
	return key
}

func bindTimeout(c *hostConfig, v string) error {
	if v == "-1" {
		c.functionTimeout = 0
		return nil
	}
	d, err := azfunc.ParseTimeSpan(v)
	if err == nil && d < time.Second {
		err = errors.New("must be one second or more, or -1 for none")
	}
	c.functionTimeout = d
	return err
}

func text(field func(*hostConfig) *string) func(*hostConfig, string) error {
	return func(c *hostConfig, v string) error { *field(c) = v; return nil }
}

func flag(field func(*hostConfig) *bool) func(*hostConfig, string) error {
	return func(c *hostConfig, v string) (err error) {
		*field(c), err = strconv.ParseBool(strings.ToLower(v))
		return err
	}
}

func number(low, high int, field func(*hostConfig) *int) func(*hostConfig, string) error {
	return func(c *hostConfig, v string) error {
		n, err := strconv.Atoi(v)
		if err == nil && (n < low || n > high) {
			err = fmt.Errorf("must be %d to %d", low, high)
		}
		*field(c) = n
		return err
	}
}

func span(field func(*hostConfig) *time.Duration) func(*hostConfig, string) error {
	return func(c *hostConfig, v string) (err error) { *field(c), err = azfunc.ParseTimeSpan(v); return err }
}

// jsonList reads a whole list from one app setting: ["a","b"].
func jsonList(field func(*hostConfig) *[]string) func(*hostConfig, string) error {
	return func(c *hostConfig, v string) error { return json.Unmarshal([]byte(v), field(c)) }
}
