package app

import (
	"bytes"
	"testing"
)

func TestForeignNamesInATable(t *testing.T) {
	tests := []struct{ name, cell, want string }{
		{"words of any script", "é ünï 漢字 👩‍🔬", "é ünï 漢字 👩‍🔬"},
		{"a line break starts no line", "new\nline", `new\nline`},
		{"a tab starts no column", "a\tb", `a\tb`},
		{"an escape sequence colors nothing", "\x1b[31mred", `\x1b[31mred`},
		{"a byte that is no text, and a sign of the table's writer", "bad\xff", `bad\xff`},
		{"a turned direction", "gpj.\u202efdp", `gpj.\u202efdp`},
		{"the replacement character itself", "\uFFFD", "\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			must(t, printColumns(&b, [][]string{{tt.cell, "x"}}))
			if got, want := b.String(), tt.want+"  x\n"; got != want {
				t.Errorf("printed %q, want %q", got, want)
			}
		})
	}
}
