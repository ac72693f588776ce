package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"decant/handler/internal/azfunc/azfunctest"
	"decant/handler/internal/config"
	"decant/handler/internal/emulator"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// unreadable is a blob that the proxy before the storage emulator refuses, as storage does before a role has spread:
// a fault that a retry could mend, so its message comes back until the host gives it up.
const unreadable = "refused-by-storage.txt"

// TestEndToEnd is the main job with real parts: the built binary behind the stand-in host, Azurite and the Cosmos emulator.
// Documents of every kind are uploaded; all reach the right state, their results keep the published contract, and a message
// that keeps failing ends in the poison queue with its reason in the record.
func TestEndToEnd(t *testing.T) {
	cloud, deliver := startService(t)
	want := map[string]ledger.State{
		"samples/broken-report.docx":    ledger.Failed,
		"samples/encrypted-minutes.pdf": ledger.Failed,
		unreadable:                      ledger.Poisoned,
		"empty.txt":                     ledger.Failed,
	}
	for name, file := range documentsToConvert(t) {
		if _, ok := want[name]; !ok {
			want[name] = expected(file)
		}
		deliver(name, file)
	}
	if len(want) < 20 {
		t.Fatalf("only %d documents to convert", len(want))
	}
	deliver(unreadable, writeFile(t, "text"))
	deliver("empty.txt", writeFile(t, ""))

	for name, state := range want {
		r := awaitRecord(t, cloud, name)
		t.Logf("%s: %s after %.1f s", name, r.State, r.Finished.Sub(r.Queued).Seconds())
		if r.State != state && !(state == ledger.Succeeded && r.State == ledger.Empty) {
			t.Errorf("%s: state %s (%+v), want %s", name, r.State, r.Cause, state)
			continue
		}
		if r.State.Readable() {
			checkResults(t, cloud, r)
		}
	}
	poisoned := awaitRecord(t, cloud, unreadable)
	if poisoned.Cause == nil || poisoned.Cause.Kind != fault.Storage || len(poisoned.Attempts) == 0 {
		t.Errorf("the poisoned record does not say why: %+v", poisoned)
	}
}

// stand is the whole service on this machine: emulators, host, and the built binary behind it.
type stand struct {
	cloud   *cloud
	service config.Config // the emulators, storage behind the proxy: events name the endpoint that the handler knows
	dist    string
	host    *azfunctest.Host

	mu      sync.Mutex
	written map[string]int // requests that wrote a manifest, by path
}

// manifests tells how often the handlers wrote a document's manifest.
func (s *stand) manifests(src job.Source) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for name, count := range s.written {
		if strings.Contains(name, src.Path) {
			n += count
		}
	}
	return n
}

// count notes what a request writes.
func (s *stand) count(r *http.Request) {
	if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/"+job.ManifestFile) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.written[r.URL.Path]++
	}
}

// startService builds the binary, starts emulators and host, and gives a way to deliver a document as a person would.
func startService(t testing.TB) (*cloud, func(name, file string)) {
	t.Helper()
	s := startStand(t)
	return s.cloud, func(name, file string) {
		row := s.cloud.submit(t.Context(), input{path: file, name: name}, submitFlags{}, s.service)
		if row.Status != "submitted" {
			t.Fatalf("submit %s: %+v", name, row)
		}
	}
}

func startStand(t testing.TB) *stand {
	t.Helper()
	s := startEmulatorsOnly(t)
	s.dist = stageApp(t)
	s.host = s.startHost(t, "SweepSchedule=0 0 0 1 1 *") // once a year: the sweeper must not do what an event should have done
	return s
}

// startEmulatorsOnly starts everything but the host.
func startEmulatorsOnly(t testing.TB) *stand {
	t.Helper()
	storage, db := bothEmulators(t)
	s := &stand{written: map[string]int{}}
	s.service = settingsFor(t, refusing(t, storage, s.count).ConnectionString(), db.ConnectionString())
	s.cloud = prepared(t, s.service)
	return s
}

// bothEmulators starts storage and database, which end with the test. Where they are not installed the test is skipped.
func bothEmulators(t testing.TB) (*emulator.Storage, *emulator.Cosmos) {
	t.Helper()
	storage, err := emulator.StartStorage(t.Context(), emulator.Options{})
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	must(t, err)
	t.Cleanup(storage.Stop)
	db, err := emulator.StartCosmos(t.Context(), emulator.Options{})
	must(t, err)
	t.Cleanup(db.Stop)
	return storage, db
}

// prepared opens the cloud of the settings, with containers, queues and database in it.
func prepared(t testing.TB, settings config.Config) *cloud {
	t.Helper()
	cloud, err := openCloud(settings)
	must(t, err)
	must(t, cloud.prepare(t.Context()))
	return cloud
}

// startHost starts one instance: a host with its handler.
func (s *stand) startHost(t testing.TB, more ...string) *azfunctest.Host {
	t.Helper()
	host, err := azfunctest.Start(context.WithoutCancel(t.Context()), azfunctest.Options{
		Dir: s.dist, Queues: s.cloud.queues.ForHost(), Environ: append(hostEnvironment(t, s.service), more...),
		Observe: func(e azfunctest.Event) {
			if e.Kind == azfunctest.HandlerLine && strings.Contains(e.Text, `"ERROR"`) {
				t.Logf("handler: %s", e.Text)
			}
		},
	})
	must(t, err)
	t.Cleanup(func() { must(t, host.Stop()) })
	return host
}

// staged is the app that all tests share: to build and to pack it takes longer than most of them.
var staged struct {
	sync.Mutex
	dir string
}

// stageApp gives the app as it is deployed: laid out and zipped as make package does, with a binary built from this tree, unpacked.
// Nobody may write to it.
func stageApp(t testing.TB) string {
	t.Helper()
	staged.Lock()
	defer staged.Unlock()
	if staged.dir != "" {
		return filepath.Join(staged.dir, "app")
	}
	dist := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dist, binaryName), "./handler")
	build.Dir = repository
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	must(t, stage(repository, dist))
	dir, err := os.MkdirTemp("", "decant-app-") // TestMain removes it
	must(t, err)
	must(t, os.Rename(unpacked(t, dist), filepath.Join(dir, "app")))
	staged.dir = dir
	return filepath.Join(dir, "app")
}

func settingsFor(t testing.TB, storage, cosmos string) config.Config {
	t.Helper()
	vars := map[string]string{"DECANT_STORAGE": storage, "DECANT_COSMOS": cosmos}
	c, err := config.Load(func(name string) string { return vars[name] })
	must(t, err)
	return c
}

// hostEnvironment is that of the host: little from ours, and shorter waits so that poison comes soon.
func hostEnvironment(t testing.TB, c config.Config) []string {
	cache, err := os.UserCacheDir()
	must(t, err)
	return []string{
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "DECANT_CACHE=" + filepath.Join(cache, "decant"),
		"DECANT_STORAGE=" + string(c.Azure.Storage), "DocStorage=" + string(c.Azure.Storage), "DECANT_COSMOS=" + string(c.Azure.Cosmos),
		"AzureFunctionsJobHost__extensions__queues__maxDequeueCount=2",
		"AzureFunctionsJobHost__extensions__queues__visibilityTimeout=00:00:01",
		"AzureFunctionsJobHost__extensions__queues__maxPollingInterval=00:00:01",
	}
}

// refusing puts a proxy before the blob service that refuses to give out one blob, and shows every request that was done to watch.
func refusing(t testing.TB, s *emulator.Storage, watch func(*http.Request)) *emulator.Storage {
	t.Helper()
	target, err := url.Parse(s.Blob)
	must(t, err)
	forward := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
	forward.ModifyResponse = func(answer *http.Response) error {
		if answer.StatusCode < 300 {
			watch(answer.Request)
		}
		return nil
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/"+unreadable) {
			http.Error(w, "", http.StatusForbidden)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	changed := *s
	changed.Blob = proxy.URL + target.Path
	return &changed
}

// documentsToConvert are the samples, the corpus' first documents of every format, and documents of others where they are.
func documentsToConvert(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"samples/*.*", "tests/corpus/*/*.*"} {
		found, err := filepath.Glob(repository + pattern)
		must(t, err)
		perFolder := map[string]int{}
		for _, f := range found {
			dir := filepath.Base(filepath.Dir(f))
			if ext := filepath.Ext(f); dir != "samples" && (ext == ".md" || ext == ".txtar" || perFolder[dir] >= 4) || filepath.Base(f) == "README.md" {
				continue
			}
			perFolder[dir]++
			files[dir+"/"+filepath.Base(f)] = f
		}
	}
	shared, err := filepath.Glob(repository + "../shared/data/office/*/src/*.*")
	must(t, err)
	perFormat := map[string]int{}
	for _, f := range shared {
		dir := filepath.Base(filepath.Dir(filepath.Dir(f)))
		if perFormat[dir]++; perFormat[dir] <= 2 && firstDepth[dir] {
			files["office/"+filepath.Base(f)] = f
		}
	}
	return files
}

// expected is how a document ends: the golden file of one that must fail says so.
func expected(file string) ledger.State {
	golden, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".md")
	if err == nil && strings.HasPrefix(string(golden), "fault: ") {
		return ledger.Failed
	}
	return ledger.Succeeded
}

var firstDepth = map[string]bool{"docx": true, "html": true, "pptx": true, "xlsx": true, "csv": true, "md": true, "pdf": true}

func awaitRecord(t testing.TB, c *cloud, name string) ledger.Record {
	t.Helper()
	src := job.Source{Account: c.blobs.Account(), Container: c.settings.Documents, Path: name}
	deadline := time.Now().Add(5 * time.Minute)
	for time.Now().Before(deadline) {
		r, err := c.ledger.Load(t.Context(), src.ID())
		settled := r.State.Terminal() && (name != unreadable || r.State == ledger.Poisoned)
		if err == nil && settled {
			return r
		}
		if err != nil && fault.KindOf(err) != fault.NotFound {
			t.Fatal(err)
		}
		sleep(t.Context(), 100*time.Millisecond)
	}
	t.Fatalf("%s has not ended after five minutes", name)
	return ledger.Record{}
}

// checkResults reads a document's results as a consumer would: from the manifest on, each held to its schema.
func checkResults(t testing.TB, c *cloud, r ledger.Record) {
	t.Helper()
	m, err := c.sink.Manifest(t.Context(), r.Source)
	must(t, err)
	text, err := m.Marshal()
	must(t, err)
	valid(t, "manifest", r.Source.Path, text)
	seen := map[string]bool{}
	for _, f := range m.Files {
		body, err := c.sink.Open(t.Context(), r.Source, f.Path)
		must(t, err)
		data, err := io.ReadAll(body)
		body.Close()
		must(t, err)
		if int64(len(data)) != f.Bytes {
			t.Errorf("%s: %s has %d bytes, the manifest says %d", r.Source.Path, f.Path, len(data), f.Bytes)
		}
		switch base := path.Base(f.Path); base {
		case job.JSONFile:
			valid(t, "document", r.Source.Path, data)
			seen[base] = true
		case job.ChunksFile:
			lines := bufio.NewScanner(bytes.NewReader(data))
			lines.Buffer(nil, 16<<20)
			for lines.Scan() {
				valid(t, "chunk", r.Source.Path, lines.Bytes())
			}
			seen[base] = true
		case job.MarkdownFile:
			seen[base] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("%s: results are %v, want Markdown, JSON and chunks", r.Source.Path, seen)
	}
	stored, err := c.ledger.Store().Chunks(t.Context(), r.DocumentID, "", 1000)
	must(t, err)
	if len(stored) != min(r.Counts.Chunks, 1000) {
		t.Errorf("%s: the ledger has %d chunks, the record says %d", r.Source.Path, len(stored), r.Counts.Chunks)
	}
}

var compiled = map[string]*jsonschema.Schema{}

func valid(t testing.TB, name, what string, text []byte) {
	t.Helper()
	s := compiled[name]
	if s == nil {
		var err error
		s, err = jsonschema.NewCompiler().Compile(repository + "docs/schemas/" + name + ".schema.json")
		must(t, err)
		compiled[name] = s
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	must(t, err)
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %s: %v", what, name, err)
	}
}

func writeFile(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("%w", err))
	}
}
