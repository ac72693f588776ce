package app

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

var odd = flag.Bool("odd", false, "convert the odd documents beside the repository, and print what became of them by format")

// TestOddOffice converts old, broken, encrypted and hostile documents of thirty formats with the command, and holds that each ends
// as a document or a named fault: no crash, no hang, no limit, and nothing empty without a word. With -v it prints the table.
//
//	go test ./handler/internal/app -run TestOddOffice -odd -v
func TestOddOffice(t *testing.T) {
	if !*odd {
		t.Skip("needs -odd: a minute of work")
	}
	for _, set := range []string{"odd-office", "pdf-odd"} {
		t.Run(set, func(t *testing.T) {
			source := oddSet(t, set)
			dir := t.TempDir()
			got := decant(t, dir, "", "convert", source, "--json", "--timeout", "5m")
			var rows []row
			if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil {
				t.Fatalf("%v\n%s%s", err, got.stdout, got.stderr)
			}
			table := map[string]*oddLine{}
			for _, r := range rows {
				ext := strings.ToLower(filepath.Ext(r.Path))
				if table[ext] == nil {
					table[ext] = &oddLine{formats: map[string]int{}, faults: map[string]int{}, warnings: map[string]int{}}
				}
				table[ext].add(r)
				if problem := oddProblem(r); problem != "" {
					t.Errorf("%s: %s", r.Path, problem)
				}
			}
			for _, ext := range slices.Sorted(maps.Keys(table)) {
				t.Logf("%-6s %s", ext, table[ext])
			}
			t.Logf("%d documents", len(rows))
		})
	}
}

func oddSet(t *testing.T, name string) string {
	t.Helper()
	for _, up := range []string{"../../../../shared", "../../../../../shared", "../../../../../../shared"} {
		if dir, err := filepath.Abs(filepath.Join(up, "data", name)); err == nil {
			if _, err := os.Stat(dir); err == nil {
				return dir
			}
		}
	}
	t.Skipf("no measuring set %s beside the repository", name)
	return ""
}

// oddLine is what became of the documents with one extension.
type oddLine struct {
	documents, converted, empty int
	formats, faults, warnings   map[string]int
}

func (l *oddLine) add(r row) {
	l.documents++
	switch {
	case r.Fault != "":
		l.faults[string(r.Fault)]++
	case r.Status == "empty":
		l.empty++
	default:
		l.converted++
	}
	if r.Format != "" {
		l.formats[r.Format]++
	}
	for _, w := range r.Warnings {
		l.warnings[w.Class]++
	}
}

func (l *oddLine) String() string {
	return fmt.Sprintf("%3d documents: %3d converted %v, %d empty, faults %v, warnings %v", l.documents, l.converted, l.formats, l.empty, l.faults, l.warnings)
}

// oddProblem says what must not become of a document, however odd.
func oddProblem(r row) string {
	warned := slices.ContainsFunc(r.Warnings, func(w job.Warning) bool { return w.Class == "empty_document" || w.Class == "scanned_page" })
	switch {
	case r.Status == "empty" && !warned:
		return "it is empty without a word"
	case r.Status == "empty" || r.Status == "converted":
		return ""
	case r.Fault == "" || r.Message == "":
		return "it failed without a fault"
	}
	switch r.Fault {
	case fault.Encrypted, fault.Unsupported, fault.Corrupt, fault.Empty:
		return ""
	}
	return fmt.Sprintf("%s: %s", r.Fault, r.Message)
}
