package infratest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSyntax asks a grammar that is not ours, so that our own reader's leniency does not pass for correctness.
func TestSyntax(t *testing.T) {
	out, err := grammar(t, bicepFiles(t)...)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestSyntaxErrorsAreFound(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.bicep")
	if err := os.WriteFile(broken, []byte("resource a 'Microsoft.Web/sites@2024-11-01' = {\n  name:\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := grammar(t, broken); err == nil || !strings.Contains(out, "broken.bicep:") {
		t.Errorf("the missing value was not found: %v, %q", err, out)
	}
}

func grammar(t *testing.T, files ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: the syntax is not held to a second grammar")
	}
	if _, err := os.Stat(root + "tools/bicep/node_modules"); err != nil {
		t.Skip("tools/bicep/node_modules is not there (npm ci --prefix tools/bicep): the syntax is not held to a second grammar")
	}
	out, err := exec.Command("node", append([]string{root + "tools/bicep/parse.mjs"}, files...)...).CombinedOutput()
	return string(out), err
}
