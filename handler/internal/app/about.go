package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"decant/handler/internal/config"
	"decant/handler/internal/format"
	"decant/handler/internal/format/all"
	"decant/handler/internal/outside"
)

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "version", Short: "Print the version", GroupID: "about", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(c.OutOrStdout(), map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
			}
			fmt.Fprintf(c.OutOrStdout(), "decant %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func formatsCommand() *cobra.Command {
	var asJSON bool
	var file string
	c := &cobra.Command{
		Use: "formats", Short: "List the formats that are read", GroupID: "about", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			set, err := settings()
			if err != nil {
				return err
			}
			inherit(&file, set.Converters)
			set.Converters = file
			found, err := findConverters(c.Context(), set)
			if err != nil {
				return err
			}
			list := formatRows(all.Formats(all.Options{}), found)
			if asJSON {
				return printJSON(c.OutOrStdout(), list)
			}
			rows := [][]string{{"FORMAT", "FILES", "READ BY", "WHAT IS READ"}}
			for _, f := range list {
				rows = append(rows, f.lines()...)
			}
			return printColumns(c.OutOrStdout(), rows)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().StringVar(&file, "converters", "", "JSON file of outside converters (default DECANT_CONVERTERS)")
	return c
}

// The widths of the columns of the table of formats, in characters, where there is more than fits a line: some formats have more
// than a hundred extensions.
const (
	filesWidth = 32
	readWidth  = 60
)

// lines are the lines of the format in the table: extensions and description go on below the first one.
func (r formatRow) lines() [][]string {
	files, read := wrap(strings.Join(r.Extensions, " "), filesWidth), wrap(r.Description, readWidth)
	lines := make([][]string, max(len(files), len(read)))
	for i := range lines {
		lines[i] = []string{"", "", "", ""}
	}
	lines[0][0], lines[0][2] = r.Title, r.reader()
	for i, text := range files {
		lines[i][1] = text
	}
	for i, text := range read {
		lines[i][3] = text
	}
	return lines
}

type formatRow struct {
	Name        format.Name `json:"name"`
	Title       string      `json:"title"`
	Extensions  []string    `json:"extensions"`
	MediaTypes  []string    `json:"mediaTypes"`
	Description string      `json:"description"`
	Outside     bool        `json:"outside"`             // decant does not read it itself
	Converter   string      `json:"converter,omitempty"` // the outside converter that reads it here
	Version     string      `json:"version,omitempty"`   // of the converter
}

// reader is who reads the format here, for people.
func (r formatRow) reader() string {
	switch {
	case r.Converter != "":
		return r.Converter
	case r.Outside:
		return "nothing installed"
	}
	return "decant"
}

// formatRows lists the formats, and then what the converters take beside them.
func formatRows(formats []format.Format, found []outside.Found) []formatRow {
	rows := make([]formatRow, len(formats))
	for i, f := range formats {
		rows[i] = formatRow{Name: f.Name, Title: f.Title, Extensions: f.Extensions, MediaTypes: f.MediaTypes, Description: f.Description, Outside: f.Outside}
		for _, c := range found {
			if rows[i].Converter == "" && slices.Contains(c.Formats, string(f.Name)) {
				rows[i].Converter, rows[i].Version = c.Name, c.Says
			}
		}
	}
	for _, c := range found {
		if len(c.Extensions)+len(c.MediaTypes) > 0 {
			rows = append(rows, formatRow{
				Name: format.Name(c.Name), Title: c.Name, Extensions: c.Extensions, MediaTypes: c.MediaTypes,
				Description: "as " + c.Returns + ", by the settings", Outside: true, Converter: c.Name, Version: c.Says,
			})
		}
	}
	return rows
}

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Show every setting, its default and its value now", GroupID: "about", Args: noArguments,
		Long: "Show every setting that decant reads from the environment: its default, its unit and its value now. Secrets show as ***.",
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := settings()
			return errors.Join(printSettings(c.OutOrStdout()), err)
		},
	}
}

func warmupCommand() *cobra.Command {
	return &cobra.Command{
		Use: "warmup", Short: "Compile the PDF engine ahead of the first document", GroupID: "service", Args: noArguments,
		Long: "Compile the PDF engine for this processor and keep it in the cache folder (DECANT_CACHE), as convert and serve do when " +
			"they start. It takes a few seconds once, and a tenth of a second when there is nothing to do.",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := settings()
			if err != nil {
				return err
			}
			folder, err := warmCache(c.Context(), s)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout(), folder)
			return nil
		},
	}
}

func printSettings(w io.Writer) error {
	rows := [][]string{{"VARIABLE", "VALUE", "DEFAULT", "UNIT", "WHAT IT SETS"}}
	for _, v := range config.Variables {
		rows = append(rows, []string{v.Name, v.Show(os.Getenv), v.Default, v.Unit, v.Help})
	}
	return printColumns(w, rows)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage{fmt.Errorf("unexpected argument %q", args[0])}
	}
	return nil
}
