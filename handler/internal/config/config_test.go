package config_test

import (
	"strings"
	"testing"
	"time"

	"decant/handler/internal/config"
	"decant/handler/internal/job"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestDefaultsAreValid(t *testing.T) {
	c, err := config.Load(env(nil))
	if err != nil {
		t.Fatalf("Load with an empty environment: %v", err)
	}
	if c.Limits.Memory != job.GiB || c.Limits.Timeout != 10*time.Minute || c.Azure.Enabled() || c.Sandbox != "auto" {
		t.Errorf("defaults = %+v", c)
	}
	if want := (job.Limits{}).Normalize(); c.Limits.Normalize() != want || c.Limits.Output != 0 {
		t.Errorf("the defaults of the environment and of job.Limits differ: %+v, %+v", c.Limits, want)
	}
}

func TestEveryProblemIsNamedAtOnce(t *testing.T) {
	_, err := config.Load(env(map[string]string{
		"DECANT_MEMORY": "1MiB", "DECANT_TIMEOUT": "soon", "DECANT_SANDBOX": "maybe", "ConversionsQueue": "Bad_Name", "DECANT_MAX_TOKENS": "0",
	}))
	if err == nil {
		t.Fatal("Load accepted five wrong values")
	}
	for _, want := range []string{"DECANT_MEMORY=1MiB: must be 128 MiB or more", "DECANT_TIMEOUT=soon", "one of auto, require, off", "ConversionsQueue=Bad_Name", "DECANT_MAX_TOKENS=0"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestCombinations(t *testing.T) {
	tests := []struct {
		name string
		vars map[string]string
		want string
	}{
		{"cap above the budget", map[string]string{"DECANT_MEMORY": "2GiB", "DECANT_MEMORY_BUDGET": "1GiB"}, "DECANT_MEMORY_BUDGET"},
		{"overlap as large as the chunk", map[string]string{"DECANT_OVERLAP": "512"}, "less than DECANT_MAX_TOKENS"},
		{"identity without a ledger", map[string]string{"DECANT_STORAGE_ACCOUNT": "acct"}, "DECANT_COSMOS_ENDPOINT"},
		{"queue name too long for its poison queue", map[string]string{"ConversionsQueue": strings.Repeat("q", 57)}, "3 to 56"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := config.Load(env(tt.vars)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	c, err := config.Load(env(map[string]string{"AzureWebJobsStorage": "AccountKey=topsecret"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Azure.Storage != "AccountKey=topsecret" {
		t.Errorf("the alias was not read: %q", string(c.Azure.Storage))
	}
	if got := c.Azure.Storage.String(); strings.Contains(got, "topsecret") {
		t.Errorf("a secret prints as %q", got)
	}
}
