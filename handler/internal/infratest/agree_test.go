package infratest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"decant/handler/internal/config"
)

// TestHostJSONAgrees: with the parameters' defaults the template overrides host.json with its own values, so that `func` on a laptop
// and a scale controller that only reads host.json see the same.
func TestHostJSONAgrees(t *testing.T) {
	h, s := host(t), settingsOf(t, expand(t, nil))
	if s["AzureFunctionsJobHost__functionTimeout"] != h.FunctionTimeout {
		t.Errorf("functionTimeout: the template says %s, host.json %s", s["AzureFunctionsJobHost__functionTimeout"], h.FunctionTimeout)
	}
	const prefix = "AzureFunctionsJobHost__extensions__queues__"
	for name, value := range s {
		key, ok := strings.CutPrefix(name, prefix)
		if ok && fmt.Sprint(h.Extensions.Queues[key]) != value {
			t.Errorf("%s: the template says %s, host.json %v", key, value, h.Extensions.Queues[key])
		}
	}
}

// binding is what a function.json says.
type binding struct {
	Type, QueueName, Connection, Schedule string
}

func functions(t *testing.T) map[string][]binding {
	t.Helper()
	files, err := filepath.Glob(root + "functions/*/function.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no functions: %v", err)
	}
	all := map[string][]binding{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var f struct{ Bindings []binding }
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[filepath.Base(filepath.Dir(file))] = f.Bindings
	}
	return all
}

var percent = regexp.MustCompile(`%(\w+)%`)

// TestTriggersHaveTheirSettings: what function.json takes from settings is set by the template and on a laptop, and leads to a queue
// that the template makes.
func TestTriggersHaveTheirSettings(t *testing.T) {
	for name, params := range scenarios {
		t.Run(name, func(t *testing.T) {
			plan := expand(t, params)
			s := settingsOf(t, plan)
			queues := map[string]bool{}
			for _, r := range plan.Resources {
				if strings.HasSuffix(r.Type, "/queues") {
					queues[r.Name[strings.LastIndex(r.Name, "/")+1:]] = true
				}
			}
			for function, bindings := range functions(t) {
				for _, b := range bindings {
					text := percent.ReplaceAllStringFunc(b.QueueName+b.Schedule, func(word string) string {
						value, ok := s[strings.Trim(word, "%")]
						if !ok {
							t.Errorf("function %s reads %s, which the template does not set", function, word)
						}
						return value
					})
					if b.QueueName != "" && !queues[text] {
						t.Errorf("function %s listens on %q, which the template does not make", function, text)
					}
					if b.Connection != "" && s[b.Connection+"__queueServiceUri"] == "" {
						t.Errorf("function %s signs in by %s, which the template does not set", function, b.Connection)
					}
				}
			}
		})
	}
}

func TestLocalSettingsHaveTheTriggersSettings(t *testing.T) {
	var local struct{ Values map[string]string }
	if err := json.Unmarshal([]byte(read(t, "local.settings.json")), &local); err != nil {
		t.Fatal(err)
	}
	for function, bindings := range functions(t) {
		for _, b := range bindings {
			for _, m := range percent.FindAllStringSubmatch(b.QueueName+b.Schedule, -1) {
				if local.Values[m[1]] == "" {
					t.Errorf("function %s reads %%%s%%, which local.settings.json does not set", function, m[1])
				}
			}
			if b.Connection != "" && local.Values[b.Connection] == "" {
				t.Errorf("function %s reads connection %s, which local.settings.json does not set", function, b.Connection)
			}
		}
	}
	if local.Values["FUNCTIONS_WORKER_RUNTIME"] != "custom" {
		t.Error("core tools take a Go module for the native worker unless FUNCTIONS_WORKER_RUNTIME is custom")
	}
}

// TestQueueNames: what the template, config and function.json call the queues; poison names are derived, and fit.
func TestQueueNames(t *testing.T) {
	long := strings.Repeat("q", 56)
	for _, params := range []map[string]any{{}, {"conversionsQueue": long, "bulkQueue": "bulk"}} {
		made := map[string]bool{}
		for _, r := range expand(t, params).Resources {
			if strings.HasSuffix(r.Type, "/queues") {
				name := r.Name[strings.LastIndex(r.Name, "/")+1:]
				made[name] = true
				if len(name) < 3 || len(name) > 63 || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(name) {
					t.Errorf("%q is no queue name", name)
				}
			}
		}
		s := settingsOf(t, expand(t, params))
		for _, queue := range []string{s["ConversionsQueue"], s["ConversionsBulkQueue"]} {
			if !made[queue] || !made[queue+"-poison"] {
				t.Errorf("%s or %s-poison is not made: %v", queue, queue, made)
			}
		}
		if !made[s["CompletedQueue"]] {
			t.Errorf("%s is not made", s["CompletedQueue"])
		}
	}
	for _, p := range load(t, main)[main].Params {
		if strings.HasSuffix(p.Name, "Queue") && fmt.Sprint(p.Decorators["maxLength"]) != "{56}" {
			t.Errorf("%s may be longer than 56 characters: its poison queue would not exist", p.Name)
		}
	}
}

func TestContainersAreMade(t *testing.T) {
	plan := expand(t, nil)
	made := map[string]bool{}
	for _, r := range plan.Resources {
		if strings.HasSuffix(r.Type, "blobServices/containers") {
			made[r.Name[strings.LastIndex(r.Name, "/")+1:]] = true
		}
	}
	s := settingsOf(t, plan)
	for _, setting := range []string{"DocumentsContainer", "ConvertedContainer", "DeadLetterContainer"} {
		if !made[s[setting]] {
			t.Errorf("%s=%s is not made: %v", setting, s[setting], made)
		}
	}
}

// elsewhere are the settings of config that the template need not set: their default fits, or the host sets them.
var elsewhere = map[string]string{
	"DECANT_STORAGE": "keys; the template uses identity", "DECANT_COSMOS": "keys; the template uses identity",
	"DECANT_ALLOWED_ACCOUNTS": "none by default", "DECANT_WEBHOOK_SECRET": "none by default; a secret belongs in a key vault",
	"DECANT_CONVERTERS":            "the built-in ones by default; a file of others has to go into the package",
	"DECANT_API_KEY":               "for the command line, not for the app",
	"FUNCTIONS_CUSTOMHANDLER_PORT": "set by the host",
}

func TestEverySettingIsSetOrHasADefault(t *testing.T) {
	s := settingsOf(t, expand(t, nil))
	for _, v := range config.Variables {
		set := slices.ContainsFunc(append([]string{v.Name}, v.Aliases...), func(name string) bool { return s[name] != "" })
		if !set && v.Default == "" && elsewhere[v.Name] == "" {
			t.Errorf("%s is neither set by the template nor has a default", v.Name)
		}
	}
}

// hostSettings are read by the host or the identity library, not by config.
var hostSettings = regexp.MustCompile(`^(AzureWebJobsStorage__|DocStorage__|AzureFunctionsJobHost__|APPLICATIONINSIGHTS_|AZURE_CLIENT_ID$|SweepSchedule$|FUNCTIONS_|WEBSITE_)`)

func TestEverySettingIsRead(t *testing.T) {
	for name, params := range scenarios {
		for setting := range settingsOf(t, expand(t, params)) {
			known := slices.ContainsFunc(config.Variables, func(v config.Variable) bool { return v.Name == setting || slices.Contains(v.Aliases, setting) })
			if !known && !hostSettings.MatchString(setting) {
				t.Errorf("%s: nobody reads %s", name, setting)
			}
			if strings.Contains(setting, ":") {
				t.Errorf("%s: %s has a colon, which Linux refuses", name, setting)
			}
		}
	}
}

// TestTheHandlerTakesTheSettings loads config from the template's settings, in every scenario.
func TestTheHandlerTakesTheSettings(t *testing.T) {
	for name, params := range scenarios {
		s := settingsOf(t, expand(t, params))
		set, err := config.Load(func(name string) string { return s[name] })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !set.Azure.Enabled() || set.Azure.Storage != "" || set.Azure.CosmosEndpoint == "" {
			t.Errorf("%s: the handler would not sign in with the identity: %+v", name, set.Azure)
		}
	}
}

func TestCosmosLeavesTheSamePathsOutAsTheHandler(t *testing.T) {
	code := read(t, "handler/internal/azure/cosmos/client.go")
	paths := regexp.MustCompile("Path: [\"`](/[^*`\"][^`]*?)[\"`]}").FindAllStringSubmatch(code, -1)
	if len(paths) < 5 {
		t.Fatalf("the excluded paths are not where they were: %v", paths)
	}
	template := read(t, "infra/modules/cosmos.bicep")
	for _, p := range paths {
		if !strings.Contains(template, "{ path: '"+p[1]+"' }") {
			t.Errorf("%s is not excluded by the template", p[1])
		}
	}
	for name, key := range map[string]string{"documents": "/documentId", "batches": "/batchId"} {
		if !strings.Contains(code, `"`+key+`"`) || !strings.Contains(template, "id: '"+name+"'\n") || !strings.Contains(template, "paths: ['"+key+"']") {
			t.Errorf("container %s with key %s is not the same in template and handler", name, key)
		}
	}
}
