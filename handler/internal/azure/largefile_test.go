package azure_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"decant/handler/internal/job"
	"decant/handler/internal/pipeline"
)

// TestLargeResult holds that a result that is sent in blocks arrives whole, under its name and with its generation, and twice does no
// harm.
func TestLargeResult(t *testing.T) {
	needEmulators(t)
	b := backend(t, http.DefaultClient, http.DefaultClient)
	file := filepath.Join(t.TempDir(), job.JSONFile)
	text := make([]byte, 40<<20)
	for i := range text {
		text[i] = byte(i * i >> 7)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	target := pipeline.Target{Source: job.Source{Container: "documents", Path: "large.csv"}, Generation: 1}
	f := job.File{Path: job.JSONFile, Bytes: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), MediaType: "application/json"}
	for range 2 {
		body, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		if err := b.Sink.Put(t.Context(), target, f, body); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Sink.Publish(t.Context(), target, pipeline.Manifest{Generation: 1, Files: []job.File{f}}); err != nil {
		t.Fatal(err)
	}
	m, err := b.Sink.Manifest(t.Context(), target.Source)
	if err != nil {
		t.Fatal(err)
	}
	published, _ := m.File(job.JSONFile)
	body, err := b.Sink.Open(t.Context(), target.Source, published.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	h := sha256.New()
	if n, err := io.Copy(h, body); err != nil || n != f.Bytes || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		t.Errorf("%d bytes came back with hash %x, want %d with %s; %v", n, h.Sum(nil), f.Bytes, f.SHA256, err)
	}
}
