package csv_test

import (
	"strings"
	"testing"

	"decant/handler/internal/format"
	"decant/handler/internal/format/csv"
)

// TestProseIsNoTable holds that sentences are no table because each has the same number of commas, and that rows stay one.
func TestProseIsNoTable(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		rows bool
	}{
		"a sentence again and again":     {strings.Repeat("The northern division sold 5,120 units,and that is more,as everybody knows.\n", 40), false},
		"sentences with semicolons":      {strings.Repeat("He came; he saw; and so he wrote, at last, a letter.\n", 40), false},
		"sentences that end with a mark": {strings.Repeat("\"Is it so,\" he asked,\"or is it not,as they say?\"\n", 40), false},
		"numbers":                        {strings.Repeat("1,2,3\n", 40), true},
		"names and places":               {strings.Repeat("Ann,Berlin,2024-01-01\nBo,Paris,2024-02-01\n", 20), true},
		"a remark in one column":         {strings.Repeat("17;open;the customer wants it again\n18;done;\n", 20), true},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := format.ReadHead(strings.NewReader(tt.text), int64(len(tt.text)), "notes")
			if err != nil {
				t.Fatal(err)
			}
			if got := csv.Format().Match(h) > 0; got != tt.rows {
				t.Errorf("taken for rows: %v, want %v", got, tt.rows)
			}
		})
	}
}
