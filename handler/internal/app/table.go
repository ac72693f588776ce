package app

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// printColumns writes rows as aligned columns, the first row being the header.
// It uses the standard library: table libraries measure East Asian widths with tables that cost every child process its start-up time.
func printColumns(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}
