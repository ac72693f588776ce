package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"decant/handler/internal/config"
	"decant/handler/internal/format"
	"decant/handler/internal/format/all"
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
	c := &cobra.Command{
		Use: "formats", Short: "List the formats that are read", GroupID: "about", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			formats := all.Formats(all.Options{})
			if asJSON {
				return printJSON(c.OutOrStdout(), formatRows(formats))
			}
			rows := [][]string{{"FORMAT", "FILES", "WHAT IS READ"}}
			for _, f := range formats {
				rows = append(rows, []string{f.Title, strings.Join(f.Extensions, " "), f.Description})
			}
			return printColumns(c.OutOrStdout(), rows)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

type formatRow struct {
	Name        format.Name `json:"name"`
	Title       string      `json:"title"`
	Extensions  []string    `json:"extensions"`
	MediaTypes  []string    `json:"mediaTypes"`
	Description string      `json:"description"`
}

func formatRows(formats []format.Format) []formatRow {
	rows := make([]formatRow, len(formats))
	for i, f := range formats {
		rows[i] = formatRow{f.Name, f.Title, f.Extensions, f.MediaTypes, f.Description}
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
