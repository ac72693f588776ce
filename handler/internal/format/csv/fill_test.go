package csv

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// allRecords reads every record of a text, of which step bytes at a time are there; all of it at once where step is 0.
func allRecords(text string, d dialect, step int) (records []record, repaired int) {
	r := reader{text: text, line: 1, d: d}
	if step > 0 {
		rest := text
		r.text, r.fill = "", func(kept string) string {
			n := min(step, len(rest))
			kept, rest = kept+rest[:n], rest[n:]
			return kept
		}
	}
	var rec record
	for r.next(&rec) {
		records = append(records, record{slices.Clone(rec.fields), rec.line, rec.endLine})
	}
	return records, r.repaired
}

func checkFill(t *testing.T, text string, d dialect, step int) {
	t.Helper()
	whole, repaired := allRecords(text, d, 0)
	parts, again := allRecords(text, d, step)
	if diff := cmp.Diff(whole, parts, cmp.AllowUnexported(record{})); diff != "" || repaired != again {
		t.Errorf("%d at a time, %d repaired, want %d; records (-whole +parts):\n%.2000s", step, again, repaired, diff)
	}
}

// TestFill: records are the same wherever the text breaks off while it is read.
func TestFill(t *testing.T) {
	text := "a,b\r\n\"x, \"\"y\"\"\nz\",2\r\n\n \n\"open,3\nc,\"d\"  ,e\r\rf,\"g\"h\",\r\n\"last\""
	for step := 1; step <= len(text); step++ {
		checkFill(t, text, dialect{delimiter: ',', quote: '"'}, step)
		checkFill(t, strings.ReplaceAll(text, `""`, `\"`), dialect{delimiter: ',', quote: '"', backslash: true}, step)
	}
	wide := strings.Repeat("12345,", ahead/4) + "end\nnext,row\n" // longer than what is usually there
	checkFill(t, "a,b\n"+wide+wide, dialect{delimiter: ',', quote: '"'}, ahead+1000)
}

// TestOpenQuotationMarks: marks that nobody closes are looked for once, not by every field that has one: one pass over half a
// megabyte, where each field would take one of its own. The fields around, and a mark that does close, are as they are.
func TestOpenQuotationMarks(t *testing.T) {
	const fields = 150_000
	records, repaired := allRecords(strings.Repeat("\"x,", fields)+"\"\"\"end\" \n\"a\"\"b\"", dialect{delimiter: ',', quote: '"'}, 0)
	if len(records) != 2 || len(records[0].fields) != 1 || repaired < fields || records[1].fields[0] != `a"b` {
		t.Errorf("%d records, the first of %d fields", len(records), len(records[0].fields))
	}
	records, _ = allRecords(strings.Repeat("\"x,", fields)+"y\nz\n", dialect{delimiter: ',', quote: '"'}, 0)
	if len(records) != 2 || len(records[0].fields) != fields+1 || records[0].fields[7] != `"x` || records[1].fields[0] != "z" {
		t.Errorf("%d records, the first of %d fields", len(records), len(records[0].fields))
	}
}

// FuzzFill changes text, signs and the places where the text breaks off.
func FuzzFill(f *testing.F) {
	f.Add("a,b\r\n\"x, \"\"y\"\"\nz\",2\r\n", byte(','), false, 3)
	f.Add("a;'b\\''\r;c\n", byte(';'), true, 1)
	f.Fuzz(func(t *testing.T, text string, delimiter byte, backslash bool, step int) {
		if step < 1 || len(text) > 1<<12 || delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter == '\\' {
			return
		}
		checkFill(t, text, dialect{delimiter: delimiter, quote: '"', backslash: backslash}, step)
	})
}
