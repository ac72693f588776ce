package infratest_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"decant/handler/internal/bicep"
)

const (
	root    = "../../../"
	main    = "infra/main.bicep"
	wrapper = "infra/main.subscription.bicep"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(root + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fromDisk(name string) (string, error) {
	text, err := os.ReadFile(root + name)
	return string(text), err
}

func load(t *testing.T, name string) bicep.Set {
	t.Helper()
	set, err := bicep.Load(name, fromDisk)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func expand(t *testing.T, params map[string]any) *bicep.Plan {
	t.Helper()
	plan, err := load(t, main).Expand(main, params, fromDisk)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func types(t *testing.T) *bicep.Types {
	t.Helper()
	known, err := bicep.ParseTypes([]byte(read(t, "tools/bicep/types.json")))
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// scenarios are the parameters that the templates are worked out for: together they reach every resource and both sides of every switch.
var scenarios = map[string]map[string]any{
	"defaults": {},
	"flex with everything": {
		"instanceMemoryMB": int64(2048), "alwaysReadyConvert": int64(1), "zoneRedundant": true, "privateNetwork": true,
		"allowedIpRanges": []any{"203.0.113.0/24"}, "vectorSearch": true, "fullTextSearch": true, "uploadSuffixes": []any{".pdf", ".docx"},
		"skipEmptyFiles": true, "principalId": "person", "alertEmail": "ops@example.org", "budgetAmount": int64(100),
	},
	"premium":        {"plan": "premium", "premiumSku": "EP3", "privateNetwork": true, "zoneRedundant": true},
	"container apps": {"plan": "containerapps", "containerImage": "x.azurecr.io/decant:1", "containerRegistryName": "x", "privateNetwork": true},
	"public image":   {"plan": "containerapps", "containerImage": "ghcr.io/x/decant:1"},
	"shared topic":   {"existingSystemTopicName": "defender"},
}

// with is a set of parameters with others laid over it.
func with(base map[string]any, more map[string]any) map[string]any {
	out := maps.Clone(base)
	maps.Copy(out, more)
	return out
}

func TestModels(t *testing.T) {
	known := types(t)
	seen := map[string]bool{}
	for name, params := range scenarios {
		t.Run(name, func(t *testing.T) {
			for _, r := range expand(t, params).Resources {
				seen[r.Type] = true
				for _, problem := range known.Check(r) {
					t.Errorf("%s: %s", r, problem)
				}
			}
		})
	}
	for kind := range seen {
		if !known.Knows(kind) && !unseen[kind] {
			t.Errorf("%s has no model in tools/bicep/types.json: nothing checks its properties", kind)
		}
	}
}

// unseen are the types that no model is at hand for. docs/deploy.md says so.
var unseen = map[string]bool{"Microsoft.Insights/diagnosticSettings": true}

func TestModelsOfTheWrapper(t *testing.T) {
	plan, err := load(t, wrapper).Expand(wrapper, nil, fromDisk)
	if err != nil {
		t.Fatal(err)
	}
	known := types(t)
	for _, r := range plan.Resources {
		for _, problem := range known.Check(r) {
			t.Errorf("%s: %s", r, problem)
		}
	}
}

// TestEveryResourceIsReached keeps the scenarios whole: a resource that none of them deploys would not be checked.
func TestEveryResourceIsReached(t *testing.T) {
	reached := map[string]bool{}
	for _, params := range scenarios {
		for _, r := range expand(t, params).Resources {
			reached[r.File+" "+r.Symbol] = true
		}
	}
	for name, f := range load(t, main) {
		for _, d := range f.Resources {
			if d.Path == "" && !d.Existing && !reached[name+" "+d.Symbol] {
				t.Errorf("%s: no scenario deploys %s", name, d.Symbol)
			}
		}
	}
}

// apiVersions are the stable versions that the templates were written against.
var apiVersions = map[string]string{
	"Microsoft.Web": "2024-11-01", "Microsoft.Storage": "2025-06-01", "Microsoft.EventGrid": "2025-02-15", "Microsoft.DocumentDB": "2025-10-15",
	"Microsoft.Authorization": "2022-04-01", "Microsoft.ManagedIdentity": "2024-11-30", "Microsoft.OperationalInsights": "2025-02-01",
	"Microsoft.Insights/components": "2020-02-02", "Microsoft.Insights/scheduledQueryRules": "2023-12-01", "Microsoft.Insights/actionGroups": "2023-01-01",
	"Microsoft.Insights/workbooks": "2023-06-01", "Microsoft.Consumption": "2024-08-01", "Microsoft.Resources": "2024-11-01",
	"Microsoft.Network": "2024-05-01", "Microsoft.Network/privateDnsZones": "2020-06-01", "Microsoft.App": "2025-01-01", "Microsoft.ContainerRegistry": "2023-07-01",
	// The only one of its type that is not old; everybody uses it.
	"Microsoft.Insights/diagnosticSettings": "2021-05-01-preview",
}

func versionFor(kind string) string {
	parts := strings.Split(kind, "/")
	if len(parts) > 1 && apiVersions[parts[0]+"/"+parts[1]] != "" {
		return apiVersions[parts[0]+"/"+parts[1]]
	}
	return apiVersions[parts[0]]
}

func TestAPIVersions(t *testing.T) {
	for _, entry := range []string{main, wrapper} {
		for name, f := range load(t, entry) {
			for _, d := range f.Resources {
				if d.Path == "" && d.Version != versionFor(d.Type) {
					t.Errorf("%s:%d: %s@%s, the version written against is %q", name, d.Line, d.Type, d.Version, versionFor(d.Type))
				}
			}
		}
	}
}

func TestNothingIsUnused(t *testing.T) {
	for _, entry := range []string{main, wrapper} {
		for name, f := range load(t, entry) {
			if list := f.Unused(); len(list) > 0 {
				t.Errorf("%s: declared and never read: %v", name, list)
			}
		}
	}
}

func TestTheWrapperHasTheSameParameters(t *testing.T) {
	inner, outer := load(t, main)[main], load(t, wrapper)[wrapper]
	for _, p := range inner.Params {
		i := slices.IndexFunc(outer.Params, func(o *bicep.Param) bool { return o.Name == p.Name && o.Type == p.Type })
		if i < 0 {
			t.Errorf("%s does not pass on %s", wrapper, p.Name)
		}
	}
}

func TestParameterFilesNameParameters(t *testing.T) {
	for _, name := range []string{main, wrapper} {
		file := strings.TrimSuffix(name, ".bicep") + ".parameters.json"
		var content struct {
			Parameters map[string]struct{ Value any }
		}
		if err := json.Unmarshal([]byte(read(t, file)), &content); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for p := range content.Parameters {
			if !slices.ContainsFunc(load(t, name)[name].Params, func(o *bicep.Param) bool { return o.Name == p }) {
				t.Errorf("%s gives %s, which %s has not", file, p, name)
			}
		}
	}
}

func TestTheWorkbookIsJSON(t *testing.T) {
	var w any
	if err := json.Unmarshal([]byte(read(t, "infra/workbook.json")), &w); err != nil {
		t.Error(err)
	}
}

func bicepFiles(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"infra/*.bicep", "infra/modules/*.bicep"} {
		found, err := filepath.Glob(root + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		list = append(list, found...)
	}
	return list
}

// sources is the text of all Go files of some folders, tests left out; a folder that is not there is empty.
func sources(t *testing.T, folders ...string) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range folders {
		files, err := filepath.Glob(root + folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				all.WriteString(read(t, strings.TrimPrefix(file, root)))
			}
		}
	}
	return all.String()
}
