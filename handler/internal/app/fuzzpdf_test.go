package app

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// FuzzPDFChild mutates the PDFs of samples and corpus and converts them in a real child: a document or a fault that names the
// document's own damage, never a crash, a hang or a fault of ours. The seed says which file is changed, and how.
func FuzzPDFChild(f *testing.F) {
	var files [][]byte
	for _, pattern := range []string{"samples/*.pdf", "tests/corpus/pdf/*.pdf"} {
		names, err := filepath.Glob(repository + pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			files = append(files, data)
		}
	}
	runner, limits := pdfRunner(f)
	for seed := range uint64(16) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		file := filepath.Join(t.TempDir(), "fuzzed.pdf")
		must(t, os.WriteFile(file, mutate(rand.New(rand.NewPCG(seed, 5)), files), 0o600))
		source := job.Source{Path: "fuzzed.pdf", Size: -1}
		_, usage, err := runner.Convert(t.Context(), job.Request{
			Job: job.Job{ID: source.ID(), Source: source, Limits: limits}, Input: file, OutDir: t.TempDir(),
		})
		switch kind := fault.KindOf(err); kind {
		case fault.Crash, fault.Internal, fault.Timeout, fault.NoProgress:
			t.Errorf("seed %d ended with %s: %v\n%s", seed, kind, err, usage.Stderr)
		}
	})
}

// mutate changes a file in the ways in which files are damaged and forged: bytes, numbers, names, pieces and ends.
func mutate(random *rand.Rand, files [][]byte) []byte {
	data := bytes.Clone(files[random.IntN(len(files))])
	for range 1 + random.IntN(12) {
		if len(data) < 64 {
			return data
		}
		at := random.IntN(len(data) - 32)
		switch random.IntN(8) {
		case 0:
			data[at] ^= 1 << random.IntN(8)
		case 1:
			data[at] = byte(random.IntN(256))
		case 2: // a number becomes another one
			if i := bytes.IndexAny(data[at:], "0123456789"); i >= 0 {
				data = splice(data, at+i, 1, []byte(fmt.Sprint(random.Int64N(1<<(1+random.IntN(40))))))
			}
		case 3: // a reference leads elsewhere
			if i := bytes.Index(data[at:], []byte(" 0 R")); i > 0 {
				data[at+i-1] = byte('0' + random.IntN(10))
			}
		case 4:
			data = splice(data, at, random.IntN(32), nil)
		case 5: // a piece twice
			data = splice(data, at, 0, data[at:min(len(data), at+random.IntN(2000))])
		case 6: // a piece of another file
			other := files[random.IntN(len(files))]
			from := random.IntN(len(other))
			data = splice(data, at, 0, other[from:min(len(other), from+random.IntN(500))])
		case 7:
			if random.IntN(4) == 0 {
				data = data[:at]
			}
		}
	}
	return data
}

// splice replaces n bytes at a place.
func splice(data []byte, at, n int, with []byte) []byte {
	out := append([]byte{}, data[:at]...)
	out = append(out, with...)
	return append(out, data[min(len(data), at+n):]...)
}
