// Command quality converts the documents of a measuring set and prints how near the Markdown comes to the truth.
// It is a tool for development and no part of the product: the binary does not link it.
//
//	go run ./handler/quality -set pdf-typeset
//	go run ./handler/quality -set office/docx -csv docx.csv -keep out
//	go run ./handler/quality -set all
//
// The sets lie beside the repository, in ../shared/data; ../shared/tools/mdeval does the scoring. Where they are absent
// it says so and ends with 0.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var o options
	flag.StringVar(&o.set, "set", "all", "a set (pdf-typeset, office/docx, odd-office/tika, ...), a prefix of several (office), or all")
	flag.StringVar(&o.shared, "shared", findShared(), "folder with data/ and tools/mdeval")
	flag.StringVar(&o.csv, "csv", "", "write scores per document into this file (one set only)")
	flag.StringVar(&o.keep, "keep", "", "keep the results below this folder")
	flag.StringVar(&o.only, "only", "", "convert only documents whose name contains this")
	flag.IntVar(&o.jobs, "jobs", 2, "conversions at a time")
	flag.StringVar(&o.cache, "pdf-cache", filepath.Join(os.TempDir(), "decant-quality-cache"), "folder of the compiled PDF engine")
	flag.Parse()
	if o.csv != "" {
		path, err := filepath.Abs(o.csv)
		if err != nil {
			return err
		}
		o.csv = path
	}
	if _, err := os.Stat(filepath.Join(o.shared, "data")); err != nil {
		fmt.Printf("skipped: no measuring sets at %s\n", filepath.Join(o.shared, "data"))
		return nil
	}
	sets, err := findSets(filepath.Join(o.shared, "data"), o.set)
	if err != nil {
		return err
	}
	for _, s := range sets {
		if err := measure(ctx, o, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

type options struct {
	set, shared, csv, keep, only, cache string
	jobs                                int
}

// findShared looks beside the repository, and beside a folder of worktrees.
func findShared() string {
	for _, dir := range []string{"../shared", "../../shared", "../../../shared"} {
		if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
			return dir
		}
	}
	return "../shared"
}

// set is documents and, where there is one, their truth.
type set struct {
	name string
	src  string
	gt   string // "" when the set has no truth
}

// findSets finds folders that hold documents: NAME/{pdf,gt}, NAME/FORMAT/{src,gt}, or plain folders without truth.
func findSets(data, want string) ([]set, error) {
	var sets []set
	err := filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(data, path)
		name = filepath.ToSlash(name)
		switch base := filepath.Base(path); {
		case base == "gt":
			return filepath.SkipDir
		case isDir(filepath.Join(filepath.Dir(path), "gt")):
			sets = append(sets, set{name: filepath.ToSlash(filepath.Dir(name)), src: path, gt: filepath.Join(filepath.Dir(path), "gt")})
			return filepath.SkipDir
		case hasFiles(path):
			sets = append(sets, set{name: name, src: path})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var chosen []set
	for _, s := range sets {
		if want == "all" || s.name == want || strings.HasPrefix(s.name, want+"/") {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no set is called %q", want)
	}
	return chosen, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func hasFiles(dir string) bool {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && e.Name() != "README.md" {
			return true
		}
	}
	return false
}
