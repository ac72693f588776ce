package infratest_test

import (
	"strings"
	"testing"

	"decant/handler/internal/bicep"
)

// TestSeededMistakes makes one mistake at a time in the templates; each must be found.
func TestSeededMistakes(t *testing.T) {
	tests := []struct{ name, file, old, new, want string }{
		{"a word that the enum has not", "modules/storage.bicep", "'TLS1_2'", "'TLS1.2'", "minimumTlsVersion"},
		{"a bool where words are taken", "modules/storage.bicep", "publicNetworkAccess: 'Enabled'", "publicNetworkAccess: true", "publicNetworkAccess"},
		{"a property misspelt", "modules/flex.bicep", "instanceMemoryMB: instanceMemoryMB", "instanceMemoryMb: instanceMemoryMB", "instanceMemoryMb"},
		{"a property one level too high", "modules/flex.bicep", "runtime: { name: 'custom', version: '1.0' }\n    }", "}\n    runtime: { name: 'custom', version: '1.0' }", "runtime"},
		{"another language's runtime", "modules/flex.bicep", "name: 'custom', version", "name: 'golang', version", "golang"},
		{"text where a number is taken", "modules/monitoring.bicep", "retentionInDays: retentionDays", "retentionInDays: '30'", "retentionInDays"},
		{"a destination that is none", "modules/subscriptions.bicep", "endpointType: 'StorageQueue'", "endpointType: 'StorageQueues'", "StorageQueues"},
		{"a property of another destination", "modules/subscriptions.bicep", "queueMessageTimeToLiveInSeconds", "maxEventsPerBatch", "maxEventsPerBatch"},
		{"a filter operator that is none", "modules/subscriptions.bicep", "operatorType: 'StringIn'", "operatorType: 'StringOneOf'", "StringOneOf"},
		{"a list forgotten", "modules/alerts.bicep", "scopes: [workspace.id]", "scopes: workspace.id", "scopes"},
		{"an index that there is not", "modules/cosmos.bicep", "indexingMode: 'consistent'", "indexingMode: 'eventual'", "indexingMode"},
		{"a brace forgotten", "modules/identity.bicep", "  tags: tags\n}", "  tags: tags\n", "identity.bicep"},
		{"a string not closed", "modules/topic.bicep", "'SystemAssigned'", "'SystemAssigned", "topic.bicep"},
		{"a name that nobody declared", "modules/roles.bicep", "principalType: principalType", "principalType: principalTyp", "principalTyp"},
		{"a parameter that the module has not", "main.bicep", "retentionDays: logRetentionDays", "retention: logRetentionDays", "retention"},
		{"a parameter forgotten", "main.bicep", "    packageUri: '${blobEndpoint}/${packageContainer}'\n", "", "packageUri"},
		{"a parameter of another type", "main.bicep", "zoneRedundant: zoneRedundant\n    privateNetwork: privateNetwork\n    allowedIpRanges: allowedIpRanges\n    containers", "zoneRedundant: 'yes'\n    privateNetwork: privateNetwork\n    allowedIpRanges: allowedIpRanges\n    containers", "zoneRedundant"},
		{"a default that is not allowed", "main.bicep", "param instanceMemoryMB int = 4096", "param instanceMemoryMB int = 1024", "instanceMemoryMB"},
		{"a dependency on nothing", "main.bicep", "dependsOn: [identity, storage, cosmos, monitoring]", "dependsOn: [identity, storages, cosmos, monitoring]", "dependsOn"},
		{"a parent of the wrong kind", "modules/storage.bicep", "parent: queueService", "parent: blobs", "parent"},
	}
	known := types(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := func(name string) (string, error) {
				text, err := fromDisk(name)
				if name == "infra/"+tt.file {
					if !strings.Contains(text, tt.old) {
						t.Fatalf("%s has no %q any more", name, tt.old)
					}
					text = strings.ReplaceAll(text, tt.old, tt.new)
				}
				return text, err
			}
			found := problems(known, source)
			if !strings.Contains(found, tt.want) {
				t.Errorf("the mistake was not found; found was: %q", found)
			}
		})
	}
}

func problems(known *bicep.Types, source bicep.Source) string {
	set, err := bicep.Load(main, source)
	if err != nil {
		return err.Error()
	}
	plan, err := set.Expand(main, scenarios["flex with everything"], source)
	if err == nil {
		plan, err = set.Expand(main, nil, source)
	}
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, r := range plan.Resources {
		all = append(all, known.Check(r)...)
	}
	return strings.Join(all, "\n")
}
