package app

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/pool"
)

// TestConvertTogether: with DECANT_DOCUMENTS_PER_PROCESS documents of one command share processes; a bad one among them fails
// alone, and a second run finds everything done.
func TestConvertTogether(t *testing.T) {
	dir := t.TempDir()
	const notes = 40
	for i := range notes {
		text := fmt.Sprintf("# Note %d\n\nThe text of note %d.\n", i, i)
		name := fmt.Sprintf("note-%02d.md", i)
		if i == 7 {
			text, name = "PK\x03\x04 no zip at all", "broken.docx"
		}
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	exe, err := os.Executable()
	must(t, err)
	run := func() (rows []row, code int) {
		cmd := exec.CommandContext(t.Context(), exe, "convert", dir, "--json", "-j", "2", "--out", filepath.Join(dir, "out"))
		cmd.Env = append(os.Environ(), "DECANT_TEST_COMMAND=1", "DECANT_STORAGE=", "DECANT_HOME="+filepath.Join(dir, "home"), "DECANT_DOCUMENTS_PER_PROCESS=20")
		text, _ := cmd.Output()
		must(t, json.Unmarshal(text, &rows))
		return rows, cmd.ProcessState.ExitCode()
	}
	for _, status := range []string{"converted", "unchanged"} {
		rows, code := run()
		if len(rows) != notes || code != fault.ExitSomeFailed {
			t.Errorf("%d rows, exit code %d; want %d and %d", len(rows), code, notes, fault.ExitSomeFailed)
		}
		for _, r := range rows {
			want := status
			if strings.HasSuffix(r.Path, "broken.docx") {
				want = "failed"
			}
			if r.Status != want {
				t.Errorf("%s is %s, want %s", r.Path, r.Status, want)
			}
		}
	}
	markdown, err := filepath.Glob(filepath.Join(dir, "out", "*", "*", "*", "document.md"))
	must(t, err)
	for _, file := range markdown {
		text, err := os.ReadFile(file)
		must(t, err)
		if number := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "note-"), ".md"); !strings.Contains(string(text), "Note "+strings.TrimPrefix(number, "0")) {
			t.Errorf("the results of note %s are %q", number, text)
		}
	}
}

// TestAtOnce: as many documents are under way as slots and processes can use, and never more than may wait.
func TestAtOnce(t *testing.T) {
	for _, c := range []struct{ slots, waiting, perProcess, want int }{
		{2, 40, 1, 3}, {2, 40, 0, 3}, {1, 36, 10, 11}, {2, 40, 10, 21}, {4, 48, 1000, 52}, {1, 36, 1000, 25}, {2, 2, 10, 4},
	} {
		if got := atOnce(pool.Sizing{Slots: c.slots, Waiting: c.waiting}, c.perProcess); got != c.want {
			t.Errorf("%+v gives %d", c, got)
		}
	}
}

// TestConvertLeavesNoWorkplace: a command that ends leaves nothing of its work beside the results.
func TestConvertLeavesNoWorkplace(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "note.md"), []byte("A note.\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "broken.docx"), []byte("PK\x03\x04 no zip at all"), 0o644))
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), exe, "convert", dir, "--out", filepath.Join(dir, "out"))
	cmd.Env = append(os.Environ(), "DECANT_TEST_COMMAND=1", "DECANT_STORAGE=", "DECANT_HOME="+filepath.Join(dir, "home"))
	if text, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != fault.ExitSomeFailed {
		t.Fatalf("exit code %d: %s", cmd.ProcessState.ExitCode(), text)
	}
	left, err := filepath.Glob(filepath.Join(dir, "out", ".decant", "staging", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
