package pipelinetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

func testReuse(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	first := b.upload(t, "s8/a.txt", "alpha\nbeta")
	b.handle(t, first, ledger.Succeeded, "")
	b.handle(t, first, ledger.Succeeded, fault.Duplicate)

	other := b.upload(t, "s8/b.txt", "alpha\nbeta")
	r := b.handle(t, other, ledger.Succeeded, "")
	if !r.Cached || r.Counts.Chunks != 2 || b.converter.Conversions(other.Source.ID()) != 0 {
		t.Errorf("same bytes elsewhere: cached %v, %d chunks, %d conversions", r.Cached, r.Counts.Chunks, b.converter.Conversions(other.Source.ID()))
	}
	for id := range must(ledger.AllStamps(t.Context(), b.Store, other.Source.ID()))(t) {
		if id[:len(other.Source.ID())] != string(other.Source.ID()) {
			t.Errorf("chunk id %q is another document's", id)
		}
	}

	b.namesItself(t, r)

	changed := b.upload(t, "s8/a.txt", "alpha\ngamma")
	r = b.handle(t, changed, ledger.Succeeded, "")
	if r.Cached || *r.Changes != (ledger.Changes{Changed: 1, Unchanged: 1}) {
		t.Errorf("other bytes: %+v", r.Changes)
	}

	small := changed
	small.Options.MaxTokens = 64
	b.handle(t, small, ledger.Succeeded, "")
	if n := b.converter.Conversions(changed.Source.ID()); n != 3 {
		t.Errorf("%d conversions of a.txt, want 3: other options miss", n)
	}

	again := b.upload(t, "s8/b.txt", "alpha\nbeta")
	r = b.handle(t, again, ledger.Succeeded, "")
	if !r.Cached || r.Changes.Unchanged != 2 || b.converter.Conversions(again.Source.ID()) != 0 {
		t.Errorf("the same bytes uploaded again: cached %v, %+v", r.Cached, r.Changes)
	}
}

// testReuseLarge holds that results that are larger than what is copied at once are another document's to the last byte: the ids in
// them too that lie over the borders between pieces.
func testReuseLarge(t *testing.T, b0 Backend) {
	b := newBench(t, b0)
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "w%d %s\n", i, strings.Repeat("and on ", i%17))
	}
	first, other := b.upload(t, "large/first.txt", text.String()), b.upload(t, "large/other.txt", text.String())
	want := b.published(t, b.handle(t, first, ledger.Succeeded, ""), job.ChunksFile)
	r := b.handle(t, other, ledger.Succeeded, "")
	got := b.published(t, r, job.ChunksFile)
	if !r.Cached || len(got) < 300_000 || got != strings.ReplaceAll(want, string(first.Source.ID()), string(other.Source.ID())) {
		t.Errorf("cached %v: %d bytes of chunks are not the %d of the first document with another id", r.Cached, len(got), len(want))
	}
	b.namesItself(t, r)
}

// published reads a result file, whose size and hash must be those in the manifest.
func (b *bench) published(t *testing.T, r ledger.Record, name string) string {
	t.Helper()
	file, _ := must(b.Sink.Manifest(t.Context(), r.Source))(t).File(name)
	body := must(b.Sink.Open(t.Context(), r.Source, file.Path))(t)
	defer body.Close()
	text := must(io.ReadAll(body))(t)
	if sum := sha256.Sum256(text); int64(len(text)) != file.Bytes || hex.EncodeToString(sum[:]) != file.SHA256 {
		t.Errorf("%s has %d bytes and hash %x, the manifest says %d and %s", name, len(text), sum, file.Bytes, file.SHA256)
	}
	return string(text)
}

// namesItself checks that a document's document.json is about that document, whoever it was converted for.
func (b *bench) namesItself(t *testing.T, r ledger.Record) {
	t.Helper()
	text := b.published(t, r, job.JSONFile)
	var d struct {
		DocumentID job.ID
		Source     struct {
			Name, Path string
			Bytes      int64
		}
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Error(err)
	}
	if d.DocumentID != r.DocumentID || d.Source.Path != r.Source.Path || d.Source.Name != r.Source.Name() || d.Source.Bytes != r.Source.Size {
		t.Errorf("document.json of %s is %s", r.Source.Path, text)
	}
}
