package infratest_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFlexGetsNothingItRefuses: each of these fails the deployment with code 51021, or is injected by somebody else.
func TestFlexGetsNothingItRefuses(t *testing.T) {
	for _, name := range []string{"defaults", "flex with everything"} {
		plan := expand(t, scenarios[name])
		for _, r := range plan.Resources {
			if r.Type != "Microsoft.Web/sites" {
				continue
			}
			site := r.Body["properties"].(map[string]any)["siteConfig"].(map[string]any)
			for property := range site {
				if !slices.Contains([]string{"appSettings", "minTlsVersion"}, property) {
					t.Errorf("%s: siteConfig.%s: Flex refuses most of siteConfig; only what is known to pass may stand there", name, property)
				}
			}
		}
		for setting := range settingsOf(t, plan) {
			if slices.Contains([]string{"FUNCTIONS_WORKER_RUNTIME", "FUNCTIONS_EXTENSION_VERSION", "AzureWebJobsStorage", "WEBSITE_RUN_FROM_PACKAGE", "WEBSITE_MAX_DYNAMIC_APPLICATION_SCALE_OUT"}, setting) {
				t.Errorf("%s: Flex refuses or misreads %s", name, setting)
			}
		}
	}
}

// TestNoKeys: identities only. Nothing lists keys, nothing allows them, no output or setting carries one.
func TestNoKeys(t *testing.T) {
	for _, file := range bicepFiles(t) {
		text := read(t, strings.TrimPrefix(file, root))
		if found := regexp.MustCompile(`(?i)list\w*keys|listConnectionStrings|AccountKey=|sharedKey:|@secure`).FindString(text); found != "" {
			t.Errorf("%s: %s", file, found)
		}
	}
	for name, params := range scenarios {
		plan := expand(t, params)
		for _, r := range plan.Resources {
			p, _ := r.Body["properties"].(map[string]any)
			for kind, want := range map[string]map[string]any{
				"Microsoft.Storage/storageAccounts":                         {"allowSharedKeyAccess": false, "allowBlobPublicAccess": false, "minimumTlsVersion": "TLS1_2"},
				"Microsoft.DocumentDB/databaseAccounts":                     {"disableLocalAuth": true, "minimalTlsVersion": "Tls12"},
				"Microsoft.Insights/components":                             {"DisableLocalAuth": true},
				"Microsoft.Web/sites/basicPublishingCredentialsPolicies":    {"allow": false},
				"Microsoft.Web/sites":                                       {"httpsOnly": true},
				"Microsoft.Storage/storageAccounts/blobServices/containers": {"publicAccess": "None"},
			} {
				for key, value := range want {
					if r.Type == kind && p[key] != value {
						t.Errorf("%s: %s: %s is %v, not %v", name, r, key, p[key], value)
					}
				}
			}
		}
		for key, value := range settingsOf(t, plan) {
			if strings.HasSuffix(key, "ConnectionString") || strings.Contains(value, "AccountKey") {
				t.Errorf("%s: %s carries a key", name, key)
			}
		}
	}
}

// use says which operation of the code, or of the host, needs a role. The text must stand in the file.
type use struct{ file, text, why string }

// roles are all roles that the templates give, by the variable that names them, with the operation that needs each.
var roles = map[string][]use{
	"blobDataOwner":         {{"handler/internal/azure/blob/sink.go", "Delete", "results are written and deleted; the host takes blob leases for its locks"}},
	"queueDataContributor":  {{"handler/internal/azure/queue/client.go", "UpdateMessage", "a message is hidden again"}, {"handler/internal/azure/queue/client.go", "EnqueueMessage", "completions are sent"}},
	"tableDataContributor":  {{"infra/main.bicep", "AzureWebJobsStorage__tableServiceUri", "the host writes diagnostic events"}},
	"metricsPublisher":      {{"infra/modules/flex.bicep", "Authorization=AAD", "the host sends telemetry without a key"}},
	"cosmosDataContributor": {{"handler/internal/azure/cosmos/commit.go", "ExecuteTransactionalBatch", "records and chunks are written"}},
	"blobDataContributor":   {{"handler/internal/azure/blob/files.go", "Upload", "people upload"}, {"infra/modules/subscriptions.bicep", "deadLetterWithResourceIdentity", "Event Grid keeps what it could not deliver"}},
	"queueMessageSender":    {{"infra/modules/subscriptions.bicep", "deliveryWithResourceIdentity", "Event Grid delivers"}},
	"acrPull":               {{"infra/modules/containerapps.bicep", "acrUserManagedIdentityID", "the image is pulled"}},
}

func TestEveryRoleIsUsed(t *testing.T) {
	guid := regexp.MustCompile(`(?m)^var (\w+) = '([0-9a-f]{8}-[0-9a-f-]{27})' //`)
	found := map[string]bool{}
	for _, file := range bicepFiles(t) {
		for _, m := range guid.FindAllStringSubmatch(read(t, strings.TrimPrefix(file, root)), -1) {
			found[m[1]] = true
			if len(roles[m[1]]) == 0 {
				t.Errorf("%s gives %s, and no operation is known that needs it", file, m[1])
			}
		}
	}
	for role, uses := range roles {
		if !found[role] {
			t.Errorf("no template gives %s any more", role)
		}
		for _, u := range uses {
			if !strings.Contains(read(t, u.file), u.text) {
				t.Errorf("%s: %s has no %q any more; does anything else need the role (%s)?", role, u.file, u.text, u.why)
			}
		}
	}
}

// roleIDs are the built-in roles by their documented ids: a typing mistake in one gives another role, or none.
var roleIDs = map[string]string{
	"blobDataOwner": "b7e6dc6d-f1e8-4753-8033-0f276bb0955b", "blobDataContributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
	"queueDataContributor": "974c5e8b-45b9-4653-ba55-5f855dd0fb88", "queueMessageSender": "c6a89b2d-59bc-44d0-9896-0f6e12d7b80a",
	"tableDataContributor": "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3", "metricsPublisher": "3913510d-42f4-4e42-8a64-420c390055eb",
	"cosmosDataContributor": "00000000-0000-0000-0000-000000000002", "acrPull": "7f951dda-4ed3-4680-a7ca-43fe172d538d",
}

func TestRoleIDs(t *testing.T) {
	for _, file := range bicepFiles(t) {
		text := read(t, strings.TrimPrefix(file, root))
		for _, m := range regexp.MustCompile(`(?m)^var (\w+) = '([0-9a-f]{8}-[0-9a-f-]{27})' //`).FindAllStringSubmatch(text, -1) {
			if roleIDs[m[1]] != m[2] {
				t.Errorf("%s: %s is %s, not %s", file, m[1], roleIDs[m[1]], m[2])
			}
		}
	}
}

// TestOrder is the graph: what must be there before what.
func TestOrder(t *testing.T) {
	tests := []struct{ file, first, then, why string }{
		{main, "identity", "roles", "roles are given to it"},
		{main, "roles", "flex", "the app reads its package with the identity at its first start"},
		{main, "roles", "premium", "as on Flex"},
		{main, "roles", "containerapps", "as on Flex"},
		{main, "storage", "flex", "the package container must exist"},
		{main, "monitoring", "flex", "the connection string is read"},
		{main, "storage", "subscriptions", "the queue must exist"},
		{main, "topicRoles", "subscriptions", "creating the subscription checks the identity's roles"},
		{main, "topic", "topicRoles", "roles are given to its identity"},
		{main, "cosmos", "subscriptions", "it is slow, which lets the roles spread"},
		{main, "flex", "subscriptions", "as Cosmos"},
		{main, "endpoints", "flex", "the app could not reach storage"},
		{main, "network", "endpoints", "they lie in its subnet"},
		{main, "alerts", "budget", "the action group must exist"},
		{"infra/modules/storage.bicep", "queueService", "allQueues", "the parent"},
		{"infra/modules/storage.bicep", "blobContainers", "lifecycle", "rules name containers"},
		{"infra/modules/flex.bicep", "plan", "app", "the plan"},
		{"infra/modules/endpoints.bicep", "zones", "records", "records lie in zones"},
	}
	set := load(t, main)
	for _, tt := range tests {
		if !set[tt.file].Before(tt.first, tt.then) {
			t.Errorf("%s: %s must be there before %s: %s", tt.file, tt.first, tt.then, tt.why)
		}
		if set[tt.file].Before(tt.then, tt.first) {
			t.Errorf("%s: %s and %s wait for each other", tt.file, tt.first, tt.then)
		}
	}
}

// TestEventGridDelivers: with the topic's own identity, only what is complete, for ever in the queue.
func TestEventGridDelivers(t *testing.T) {
	var subscriptions int
	for _, r := range expand(t, nil).Resources {
		if r.Type != "Microsoft.EventGrid/systemTopics/eventSubscriptions" {
			continue
		}
		subscriptions++
		p := fmt.Sprint(r.Body["properties"])
		for _, want := range []string{"type:SystemAssigned", "queueName:conversions", "queueMessageTimeToLiveInSeconds:-1", "blobContainerName:undelivered", "/containers/documents/blobs/"} {
			if !strings.Contains(p, want) {
				t.Errorf("%s has no %s: %s", r, want, p)
			}
		}
	}
	if subscriptions != 2 {
		t.Errorf("%d subscriptions, not one for uploads and one for deletions", subscriptions)
	}
}

// TestAlertsReadWhatIsLogged: each message that a query looks for is one that the handler writes.
func TestAlertsReadWhatIsLogged(t *testing.T) {
	text := read(t, "infra/modules/alerts.bicep") + read(t, "infra/workbook.json")
	logged := sources(t, "handler/internal/app", "handler/internal/doctor", "handler/internal/server")
	for _, m := range regexp.MustCompile(`line\.msg == \\?"([^"\\]+)\\?"`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(logged, `Info("`+m[1]+`"`) {
			t.Errorf("a query looks for the line %q, which nobody logs", m[1])
		}
	}
	if !strings.Contains(text, `"MaxDequeueCount"`) {
		t.Error("no query looks for the host's line about MaxDequeueCount")
	}
	if !strings.Contains(read(t, "host.json"), "Trace") {
		t.Error("host.json samples traces: the lines that the alerts read may be dropped")
	}
}
