package app

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/spf13/cobra"
)

func packageCommand() *cobra.Command {
	var root, dist, out string
	c := &cobra.Command{
		Use: "package", Short: "Lay out and zip the Functions app", Args: noArguments, Hidden: true,
		Long: `Lay out dist/ as the Functions host wants it (host.json, <function>/function.json, the binary) and zip it
with the modes that the host needs: 0644 for files, 0755 for the binary. The zip is the same for the same content.`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := stage(root, dist); err != nil {
				return err
			}
			if err := zipDist(dist, out); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is laid out, %s is ready to deploy\n", dist, out)
			return nil
		},
	}
	c.Flags().StringVar(&root, "root", ".", "folder with host.json and functions/")
	c.Flags().StringVar(&dist, "dist", "dist", "folder to lay out; holds the binary already")
	c.Flags().StringVar(&out, "zip", "dist.zip", "zip to write")
	return c
}

// binaryName is what host.json's defaultExecutablePath names.
const binaryName = "decant"

// stage copies host.json, local.settings.json and every function's folder beside the binary: the host looks for function.json
// in the direct children of the folder that holds host.json, and nowhere else.
func stage(root, dist string) error {
	if _, err := os.Stat(filepath.Join(dist, binaryName)); err != nil {
		return fmt.Errorf("the binary is not built: run make build: %w", err)
	}
	for _, name := range []string{"host.json", "local.settings.json"} {
		if err := copyFile(filepath.Join(root, name), filepath.Join(dist, name)); err != nil {
			return err
		}
	}
	functions, err := filepath.Glob(filepath.Join(root, "functions", "*", "function.json"))
	if err != nil || len(functions) == 0 {
		return fmt.Errorf("no functions/*/function.json below %s", root)
	}
	for _, f := range functions {
		if err := copyFile(f, filepath.Join(dist, filepath.Base(filepath.Dir(f)), "function.json")); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// zipDist zips what the app needs in Azure: host.json, the functions and the binary, not the local settings.
func zipDist(dist, out string) error {
	names, err := filepath.Glob(filepath.Join(dist, "*", "function.json"))
	if err != nil {
		return err
	}
	names = append(names, filepath.Join(dist, "host.json"), filepath.Join(dist, binaryName))
	sort.Strings(names)
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, name := range names {
		if err := addToZip(z, dist, name); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

// zipTime makes the zip the same on every run; zip has no time before 1980.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func addToZip(z *zip.Writer, dist, name string) error {
	rel, err := filepath.Rel(dist, name)
	if err != nil {
		return err
	}
	header := &zip.FileHeader{Name: filepath.ToSlash(rel), Method: zip.Deflate, Modified: zipTime}
	header.SetMode(0o644)
	if rel == binaryName {
		header.SetMode(0o755)
	}
	w, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(w, in)
	return err
}
