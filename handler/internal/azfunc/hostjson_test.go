package azfunc_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"decant/handler/internal/azfunc"
)

func TestFunctionTimeout(t *testing.T) {
	tests := []struct {
		name, host, setting string
		want                time.Duration
		fails               bool
	}{
		{"default", `{"version":"2.0"}`, "", 30 * time.Minute, false},
		{"host_json", `{"functionTimeout":"00:05:00"}`, "", 5 * time.Minute, false},
		{"other_case", `{"FunctionTimeout":"00:05:00"}`, "", 5 * time.Minute, false},
		{"app_setting_wins", `{"functionTimeout":"00:05:00"}`, "AzureFunctionsJobHost__functionTimeout=01:00:00", time.Hour, false},
		{"none", `{"functionTimeout":"-1"}`, "", 0, false},
		{"none_as_number", `{"functionTimeout":-1}`, "", 0, false},
		{"wrong", `{"functionTimeout":"5m"}`, "", 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "host.json"), []byte("\ufeff"+test.host), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := azfunc.FunctionTimeout(root, []string{test.setting})
			if got != test.want || (err != nil) != test.fails {
				t.Errorf("FunctionTimeout() = %v, %v, want %v, error %v", got, err, test.want, test.fails)
			}
		})
	}
}

func TestParseTimeSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"00:05:00": 5 * time.Minute, "1.02:03:04.5": 26*time.Hour + 3*time.Minute + 4500*time.Millisecond, "00:00:00.1": 100 * time.Millisecond, "01:00": time.Hour,
	} {
		if got, err := azfunc.ParseTimeSpan(text); err != nil || got != want {
			t.Errorf("ParseTimeSpan(%s) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "5m", "00:61:00", "24:00:00", "-00:05:00", "00:00:00:00"} {
		if got, err := azfunc.ParseTimeSpan(text); err == nil {
			t.Errorf("ParseTimeSpan(%q) = %v", text, got)
		}
	}
}
