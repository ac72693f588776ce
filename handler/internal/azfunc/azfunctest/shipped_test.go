package azfunctest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/azfunc/azfunctest"
)

const repository = "../../../.."

// TestShippedApp holds the app that is deployed to the host's rules: laid out as `make package` does it, every function is
// found, none is dropped, and each queue is the one that config names.
func TestShippedApp(t *testing.T) {
	a := newApp(t)
	if err := os.RemoveAll(filepath.Join(a.dir, "convert")); err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir(filepath.Join(repository, "functions"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, folder := range folders {
		names = append(names, folder.Name())
		a.write(folder.Name()+"/function.json", readFile(t, "functions/"+folder.Name()+"/function.json"))
	}
	a.write("host.json", readFile(t, "host.json"))
	a.write("local.settings.json", readFile(t, "local.settings.json"))
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a.set("AzureFunctionsJobHost__customHandler__description__defaultExecutablePath", executable)
	a.options.FunctionKey, a.options.NoSchedule = "secret", true
	host := a.start()
	slices.Sort(names)
	if diff := cmp.Diff(names, host.Functions()); diff != "" || len(host.Dropped()) > 0 {
		t.Fatalf("functions (-folders +found):\n%s\ndropped: %v", diff, host.Dropped())
	}
	for _, queue := range []string{"conversions", "conversions-bulk", "conversions-poison", "conversions-bulk-poison"} {
		if err := a.queues.Create(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
		if err := a.queues.Send(t.Context(), queue, encoded("hello "+queue)); err != nil {
			t.Fatal(err)
		}
	}
	a.await(azfunctest.MessageDeleted, 4)
	if err := host.RunTimer(t.Context(), "sweep"); err != nil {
		t.Error(err)
	}
	if got := a.get("/api/health"); got[:3] != "200" {
		t.Errorf("GET /api/health without a key = %s, want it open", got)
	}
	if got := a.get("/api/documents"); got[:3] != "401" {
		t.Errorf("GET /api/documents without a key = %s, want it closed", got)
	}
	if prefix, err := azfunc.RoutePrefix(a.dir, nil); err != nil || prefix != "api" {
		t.Errorf("RoutePrefix() = %q, %v", prefix, err)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
