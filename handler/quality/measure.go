package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"decant/handler/internal/convert"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/all"
	"decant/handler/internal/job"
	"decant/handler/internal/pdfium"
)

// outcome is what became of one document.
type outcome struct {
	name    string
	err     error
	pages   int
	seconds float64
	words   int
}

// measure converts a set and prints its table.
func measure(ctx context.Context, o options, s set) error {
	if strings.HasPrefix(s.name, "pdf") || strings.HasSuffix(s.name, "/pdf") {
		if err := pdfium.Warm(ctx, o.cache); err != nil {
			return err
		}
	}
	pred, clean, err := predictions(o, s)
	if err != nil {
		return err
	}
	defer clean()
	outcomes, err := convertAll(ctx, o, s, pred)
	if err != nil {
		return err
	}
	report(s, outcomes)
	if s.gt == "" {
		return nil
	}
	return score(ctx, o, s, pred, outcomes)
}

func predictions(o options, s set) (dir string, clean func(), err error) {
	if o.keep != "" {
		dir, err = filepath.Abs(filepath.Join(o.keep, s.name))
		if err != nil {
			return "", nil, err
		}
		// Results of an earlier run must not pass for this one's.
		if err := os.RemoveAll(dir); err != nil {
			return "", nil, err
		}
		return dir, func() {}, os.MkdirAll(dir, 0o755)
	}
	dir, err = os.MkdirTemp("", "decant-quality-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

func convertAll(ctx context.Context, o options, s set, pred string) ([]outcome, error) {
	entries, err := os.ReadDir(s.src)
	if err != nil {
		return nil, err
	}
	converter := convert.New(all.Formats(all.Options{PDFCache: o.cache}), "quality")
	var outcomes []outcome
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(1, o.jobs))
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.Contains(e.Name(), o.only) || ctx.Err() != nil {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			result := convertOne(ctx, converter, filepath.Join(s.src, e.Name()), truthName(s, e.Name()), pred)
			mu.Lock()
			defer mu.Unlock()
			outcomes = append(outcomes, result)
		})
	}
	wg.Wait()
	sort.Slice(outcomes, func(i, j int) bool { return outcomes[i].name < outcomes[j].name })
	return outcomes, ctx.Err()
}

// truthName is the name under which the truth lies: the whole file name, or the name without its extension.
func truthName(s set, name string) string {
	if _, err := os.Stat(filepath.Join(s.gt, name+".md")); s.gt != "" && err == nil {
		return name
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

func convertOne(ctx context.Context, c *convert.Converter, path, name, pred string) outcome {
	out := outcome{name: filepath.Base(path)}
	dir := filepath.Join(pred, "files", filepath.Base(path))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		out.err = err
		return out
	}
	source := job.Source{Path: filepath.Base(path), Size: -1}
	request := job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: path, OutDir: dir}
	request.Job.Options.Images = "none"
	started := time.Now()
	result, err := c.Convert(ctx, request)
	out.seconds = time.Since(started).Seconds()
	if out.err = err; err != nil {
		return out
	}
	out.pages = result.Counts.Pages
	text, err := markdownOf(dir)
	if err != nil {
		out.err = err
		return out
	}
	out.words = len(strings.Fields(text))
	out.err = os.WriteFile(filepath.Join(pred, name+".md"), []byte(text), 0o644)
	return out
}

func report(s set, outcomes []outcome) {
	pages, seconds, silent := 0, 0.0, 0
	kinds := map[fault.Kind]int{}
	for _, o := range outcomes {
		pages += o.pages
		seconds += o.seconds
		if o.err != nil {
			kinds[fault.KindOf(o.err)]++
			if k := fault.KindOf(o.err); k == fault.Internal || k == fault.Crash || k == fault.Memory {
				fmt.Printf("  %s: %v\n", o.name, o.err)
			}
		} else if o.words == 0 {
			silent++
		}
	}
	fmt.Printf("\n== %s: %d documents, %d pages, %.1f s of conversion, %d without a word, faults %v\n", s.name, len(outcomes), pages, seconds, silent, kinds)
}

// score runs the evaluator.
func score(ctx context.Context, o options, s set, pred string, outcomes []outcome) error {
	gt, err := filepath.Abs(s.gt)
	if err != nil {
		return err
	}
	args := []string{"run", "-C", filepath.Join(o.shared, "tools", "mdeval"), ".", "-gt", gt, "-pred", pred}
	if o.csv != "" {
		args = append(args, "-csv", o.csv)
	}
	if o.only != "" {
		list := filepath.Join(pred, "files", "list.txt")
		var names []string
		for _, out := range outcomes {
			names = append(names, truthName(s, out.name)+".md")
		}
		if err := os.WriteFile(list, []byte(strings.Join(names, "\n")), 0o644); err != nil {
			return err
		}
		args = append(args, "-list", list)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
