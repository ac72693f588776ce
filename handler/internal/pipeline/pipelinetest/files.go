package pipelinetest

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline"
)

var sinkTests = []test{
	{"nothing is seen before the manifest", testSinkPublish},
	{"an old generation cannot replace a newer one", testSinkFencing},
	{"prune keeps what is published", testSinkPrune},
	{"paths that continue each other are two documents", testSinkNested},
	{"remove", testSinkRemove},
}

var fetcherTests = []test{
	{"reads the version that the event names", testFetch},
	{"a newer version is stale, a missing file gone", testFetchStale},
	{"no more than the limit", testFetchLimit},
}

var cacheTests = []test{
	{"finds what it remembers", testCache},
}

func put(t testing.TB, s pipeline.Sink, target pipeline.Target, path, text string) job.File {
	t.Helper()
	f := job.File{Path: path, Bytes: int64(len(text)), MediaType: "text/plain"}
	if err := s.Put(t.Context(), target, f, strings.NewReader(text)); err != nil {
		t.Fatalf("Put %s: %v", path, err)
	}
	return f
}

// publish stores one generation with the given text as its Markdown.
func publish(t testing.TB, s pipeline.Sink, target pipeline.Target, text string) {
	t.Helper()
	files := []job.File{put(t, s, target, job.MarkdownFile, text), put(t, s, target, job.ImagesDir+"/image 1.png", "png")}
	m := pipeline.Manifest{Schema: pipeline.ManifestSchema, DocumentID: target.Source.ID(), Generation: target.Generation, Source: target.Source, Status: ledger.Succeeded, Files: files}
	if err := s.Publish(t.Context(), target, m); err != nil {
		t.Fatalf("Publish generation %d: %v", target.Generation, err)
	}
}

// read gives the Markdown that readers see, "" when nothing is published.
func read(t testing.TB, s pipeline.Sink, src job.Source) string {
	t.Helper()
	m, err := s.Manifest(t.Context(), src)
	if fault.KindOf(err) == fault.NotFound {
		return ""
	} else if err != nil {
		t.Fatalf("Manifest: %v", err)
	}
	f, ok := m.File(job.MarkdownFile)
	if !ok {
		t.Fatalf("manifest names no %s: %+v", job.MarkdownFile, m.Files)
	}
	for _, f := range m.Files {
		must(s.Open(t.Context(), src, f.Path))(t).Close()
	}
	body := must(s.Open(t.Context(), src, f.Path))(t)
	defer body.Close()
	return string(must(io.ReadAll(body))(t))
}

func target(path string, generation int64) pipeline.Target {
	return pipeline.Target{Source: job.Source{Container: "documents", Path: path}, Generation: generation}
}

func testSinkPublish(t *testing.T, b Backend) {
	one := target("a/report ü&#?.pdf", 1)
	put(t, b.Sink, one, job.MarkdownFile, "first")
	if got := read(t, b.Sink, one.Source); got != "" {
		t.Errorf("readers see %q before the manifest", got)
	}
	publish(t, b.Sink, one, "first")
	if got := read(t, b.Sink, one.Source); got != "first" {
		t.Errorf("readers see %q, want first", got)
	}
	two := target("a/report ü&#?.pdf", 2)
	put(t, b.Sink, two, job.MarkdownFile, "second")
	if got := read(t, b.Sink, one.Source); got != "first" {
		t.Errorf("readers see %q while the second generation is written, want first", got)
	}
	publish(t, b.Sink, two, "second")
	if got := read(t, b.Sink, one.Source); got != "second" {
		t.Errorf("readers see %q, want second", got)
	}
	if _, err := b.Sink.Open(t.Context(), one.Source, "nothing.md"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Open of nothing = %v, want not_found", err)
	}
}

func testSinkFencing(t *testing.T, b Backend) {
	publish(t, b.Sink, target("fence.txt", 5), "new")
	old := target("fence.txt", 4)
	m := pipeline.Manifest{Generation: 4, Files: []job.File{put(t, b.Sink, old, job.MarkdownFile, "old")}}
	if err := b.Sink.Publish(t.Context(), old, m); fault.KindOf(err) != fault.LeaseLost {
		t.Errorf("Publish of an old generation = %v, want lease_lost", err)
	}
	if got := read(t, b.Sink, old.Source); got != "new" {
		t.Errorf("readers see %q, want new", got)
	}
}

func testSinkPrune(t *testing.T, b Backend) {
	publish(t, b.Sink, target("prune.txt", 1), "one")
	put(t, b.Sink, target("prune.txt", 2), job.MarkdownFile, "given up")
	publish(t, b.Sink, target("prune.txt", 3), "three")
	removed := must(b.Sink.Prune(t.Context(), target("prune.txt", 3).Source, 3))(t)
	if removed == 0 {
		t.Errorf("Prune removed nothing, want the generation that was given up")
	}
	if got := read(t, b.Sink, target("prune.txt", 3).Source); got != "three" {
		t.Errorf("readers see %q after Prune, want three", got)
	}
	if removed := must(b.Sink.Prune(t.Context(), target("prune.txt", 3).Source, 9))(t); removed != 0 {
		t.Errorf("Prune removed %d files that the manifest names", removed)
	}
}

func testSinkNested(t *testing.T, b Backend) {
	outer, inner := target("mail", 1), target("mail/1/images", 1)
	publish(t, b.Sink, outer, "outer")
	publish(t, b.Sink, inner, "inner")
	publish(t, b.Sink, target("mail", 2), "outer two")
	must(b.Sink.Prune(t.Context(), outer.Source, 2))(t)
	if got := read(t, b.Sink, inner.Source); got != "inner" {
		t.Errorf("a new generation of one document left %q of another, want inner", got)
	}
	if err := b.Sink.Remove(t.Context(), outer.Source); err != nil {
		t.Fatal(err)
	}
	if got := read(t, b.Sink, inner.Source); got != "inner" {
		t.Errorf("removing one document left %q of another, want inner", got)
	}
}

func testSinkRemove(t *testing.T, b Backend) {
	one := target("remove.txt", 1)
	publish(t, b.Sink, one, "one")
	put(t, b.Sink, target("remove.txt", 2), job.MarkdownFile, "unpublished")
	for range 2 { // the second time there is nothing left
		if err := b.Sink.Remove(t.Context(), one.Source); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, b.Sink, one.Source); got != "" {
		t.Errorf("readers see %q after Remove", got)
	}
	publish(t, b.Sink, target("remove.txt", 3), "again")
	if got := read(t, b.Sink, one.Source); got != "again" {
		t.Errorf("readers see %q, want again", got)
	}
}

func testFetch(t *testing.T, b Backend) {
	src := b.Upload(t, job.Source{Container: "documents", Path: "a b/ü.txt"}, []byte("hello"))
	var body bytes.Buffer
	got := must(b.Fetcher.Fetch(t.Context(), src, 100, &body))(t)
	if body.String() != "hello" || got.Size != 5 || got.ETag != src.ETag {
		t.Errorf("Fetch = %+v with %q, want 5 bytes hello of etag %s", got, &body, src.ETag)
	}
	if now := must(b.Fetcher.Stat(t.Context(), src))(t); now.ETag != src.ETag || now.Size != 5 {
		t.Errorf("Stat = %+v, want etag %s", now, src.ETag)
	}
}

func testFetchStale(t *testing.T, b Backend) {
	first := b.Upload(t, job.Source{Container: "documents", Path: "twice.txt"}, []byte("one"))
	second := b.Upload(t, first, []byte("two, longer"))
	if _, err := b.Fetcher.Fetch(t.Context(), first, 100, io.Discard); fault.KindOf(err) != fault.Stale {
		t.Errorf("Fetch of a replaced version = %v, want stale_event", err)
	}
	b.Remove(t, second)
	if _, err := b.Fetcher.Fetch(t.Context(), second, 100, io.Discard); fault.KindOf(err) != fault.Gone {
		t.Errorf("Fetch of a deleted file = %v, want blob_gone", err)
	}
	if _, err := b.Fetcher.Stat(t.Context(), second); fault.KindOf(err) != fault.Gone {
		t.Errorf("Stat of a deleted file = %v, want blob_gone", err)
	}
}

func testFetchLimit(t *testing.T, b Backend) {
	src := b.Upload(t, job.Source{Container: "documents", Path: "big.txt"}, []byte(strings.Repeat("x", 5000)))
	var body bytes.Buffer
	if _, err := b.Fetcher.Fetch(t.Context(), src, 4999, &body); fault.KindOf(err) != fault.TooLarge || body.Len() > 4999 {
		t.Errorf("Fetch = %v after %d bytes, want too_large after at most 4999", err, body.Len())
	}
	if _, err := b.Fetcher.Fetch(t.Context(), src, 5000, &body); err != nil {
		t.Errorf("Fetch of exactly the limit = %v", err)
	}
	empty := b.Upload(t, job.Source{Container: "documents", Path: "empty.txt"}, nil)
	if got, err := b.Fetcher.Fetch(t.Context(), empty, 10, io.Discard); err != nil || got.Size != 0 {
		t.Errorf("Fetch of an empty file = %+v, %v", got, err)
	}
}

func testCache(t *testing.T, b Backend) {
	hash := strings.Repeat("ab", 32)
	if _, err := b.Cache.Find(t.Context(), hash, "options"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Find of nothing = %v, want not_found", err)
	}
	src := job.Source{Container: "documents", Path: "x/ü.txt", ETag: "0x1"}
	if err := b.Cache.Remember(t.Context(), hash, "options", src); err != nil {
		t.Fatal(err)
	}
	if got := must(b.Cache.Find(t.Context(), hash, "options"))(t); got != src {
		t.Errorf("Find = %+v, want %+v", got, src)
	}
	if _, err := b.Cache.Find(t.Context(), hash, "other"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Find with other options = %v, want not_found", err)
	}
}
