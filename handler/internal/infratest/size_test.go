package infratest_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"decant/handler/internal/bicep"
	"decant/handler/internal/config"
	"decant/handler/internal/job"
	"decant/handler/internal/pool"
)

// settingsOf are the app settings of the one site in a plan.
func settingsOf(t *testing.T, plan *bicep.Plan) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, r := range plan.Resources {
		if r.Type != "Microsoft.Web/sites" {
			continue
		}
		site := r.Body["properties"].(map[string]any)["siteConfig"].(map[string]any)
		for _, s := range site["appSettings"].([]any) {
			pair := s.(map[string]any)
			name := pair["name"].(string)
			if _, twice := found[name]; twice {
				t.Errorf("setting %s stands twice", name)
			}
			found[name] = fmt.Sprint(pair["value"])
		}
	}
	if len(found) == 0 {
		t.Fatal("the plan has no site with settings")
	}
	return found
}

// machine is one size of a plan: what the template computes and what the pool would on such a machine.
type machine struct {
	name   string
	params map[string]any
	pool.Machine
	temporary int64 // bytes
}

func machines() []machine {
	var list []machine
	add := func(name string, params map[string]any, cores int, mib, temporary int64) {
		for _, limit := range []int64{256, 1024, 3000, 8192} {
			list = append(list, machine{
				fmt.Sprintf("%s, %d MiB a conversion", name, limit), with(params, map[string]any{"conversionMemoryMB": limit}),
				pool.Machine{Cores: cores, Memory: mib * job.MiB}, temporary * 1000 * 1000,
			})
		}
	}
	add("flex 2048", map[string]any{"instanceMemoryMB": int64(2048)}, 1, 2048, 800)
	add("flex 4096", map[string]any{}, 2, 4096, 800)
	add("EP1", map[string]any{"plan": "premium", "premiumSku": "EP1"}, 1, 3584, 11000)
	add("EP2", map[string]any{"plan": "premium", "premiumSku": "EP2"}, 2, 7168, 11000)
	add("EP3", map[string]any{"plan": "premium", "premiumSku": "EP3"}, 4, 14336, 11000)
	for _, cores := range []int64{1, 2, 4} {
		add(fmt.Sprintf("container apps, %d cores", cores), map[string]any{"plan": "containerapps", "containerCores": cores}, int(cores), cores*2048, cores*2048)
	}
	return list
}

// TestSizing holds the arithmetic of the template to pool.Size, on every size of every plan.
func TestSizing(t *testing.T) {
	for _, m := range machines() {
		t.Run(m.name, func(t *testing.T) {
			plan := expand(t, m.params)
			set, err := config.Load(func(name string) string { return settingsOf(t, plan)[name] })
			if err != nil {
				t.Fatalf("the handler refuses the settings: %v", err)
			}
			want := pool.Size(pool.Options{Cap: set.Limits.Memory}, m.Machine)
			if set.Jobs != want.Slots || set.MemoryBudget != want.Budget {
				t.Errorf("slots %d, budget %d; the pool says %d, %d", set.Jobs, set.MemoryBudget, want.Slots, want.Budget)
			}
			s := settingsOf(t, plan)
			const queues = "AzureFunctionsJobHost__extensions__queues__"
			if s[queues+"batchSize"] != fmt.Sprint(want.BatchSize) || s[queues+"newBatchThreshold"] != fmt.Sprint(want.NewBatchThreshold) {
				t.Errorf("batchSize %s, newBatchThreshold %s; the pool says %d, %d", s[queues+"batchSize"], s[queues+"newBatchThreshold"], want.BatchSize, want.NewBatchThreshold)
			}
			if got := plan.Outputs["DECANT_MAX_CONVERSIONS"]; got != int64(20*want.Slots) {
				t.Errorf("the output says %v conversions at once, not 20 × %d", got, want.Slots)
			}
			atOnce := int64(want.BatchSize + want.NewBatchThreshold)
			if used := atOnce * (set.Limits.Input + set.Limits.Disk); used > m.temporary {
				t.Errorf("%d messages may fill %d bytes of %d on the temporary disk", atOnce, used, m.temporary)
			}
		})
	}
}

// TestDeadlines holds the three time limits in order, for every pair that the parameters allow.
func TestDeadlines(t *testing.T) {
	for _, function := range []int64{5, 30, 45} {
		for _, conversion := range []int64{1, 10, 42} {
			plan := expand(t, map[string]any{"functionTimeoutMinutes": function, "conversionTimeoutMinutes": conversion})
			s := settingsOf(t, plan)
			set, err := config.Load(func(name string) string { return s[name] })
			if err != nil {
				t.Fatal(err)
			}
			const margin = 90 * time.Second // app.deadlineMargin
			if set.Limits.Timeout >= time.Duration(function)*time.Minute-margin {
				t.Errorf("%d and %d: a conversion may take %s, the host's limit is %d minutes", function, conversion, set.Limits.Timeout, function)
			}
			if want := fmt.Sprintf("00:%02d:00", function); s["AzureFunctionsJobHost__functionTimeout"] != want {
				t.Errorf("functionTimeout is %s, not %s", s["AzureFunctionsJobHost__functionTimeout"], want)
			}
		}
	}
}

func TestRetryDelayIsWrittenAsTheHostReadsIt(t *testing.T) {
	for seconds, want := range map[int64]string{0: "00:00:00", 30: "00:00:30", 95: "00:01:35", 3600: "01:00:00"} {
		s := settingsOf(t, expand(t, map[string]any{"retryDelaySeconds": seconds}))
		if got := s["AzureFunctionsJobHost__extensions__queues__visibilityTimeout"]; got != want {
			t.Errorf("%d seconds are written %q, not %q", seconds, got, want)
		}
	}
}

// hostJSON is host.json as the checks need it.
type hostJSON struct {
	FunctionTimeout string
	CustomHandler   struct {
		Description struct{ DefaultExecutablePath string }
	}
	Extensions struct{ Queues map[string]any }
}

func host(t *testing.T) hostJSON {
	t.Helper()
	var h hostJSON
	if err := json.Unmarshal([]byte(read(t, "host.json")), &h); err != nil {
		t.Fatal(err)
	}
	return h
}
