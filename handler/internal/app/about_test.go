package app

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFormatsFitALine: the table of formats can be read where lines are not endless, and names every extension all the same.
func TestFormatsFitALine(t *testing.T) {
	dir := t.TempDir()
	var rows []formatRow
	must(t, json.Unmarshal([]byte(decant(t, dir, "", "formats", "--json").stdout), &rows))
	table := decant(t, dir, "", "formats").stdout
	words := map[string]bool{}
	for _, word := range strings.Fields(table) {
		words[word] = true
	}
	for _, row := range rows {
		for _, extension := range row.Extensions {
			if !words[extension] {
				t.Errorf("the table lacks %s of %s", extension, row.Title)
			}
		}
	}
	const widest = 200
	for line := range strings.Lines(table) {
		if n := utf8.RuneCountInString(line); n > widest {
			t.Errorf("a line has %d characters, %d are the most: %s", n, widest, line)
		}
	}
}

// TestPrecheckSaysWhatItTellsApart: the list of commands promises no more than the command does.
func TestPrecheckSaysWhatItTellsApart(t *testing.T) {
	for line := range strings.Lines(decant(t, t.TempDir(), "", "--help").stdout) {
		if strings.HasPrefix(line, "  precheck ") && !strings.Contains(line, "PDF files are text, scanned, encrypted or broken") {
			t.Errorf("--help says of precheck: %s", line)
		}
	}
}
