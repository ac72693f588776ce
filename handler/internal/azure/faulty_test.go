package azure_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
	"decant/handler/internal/pipeline/pipelinetest"
)

// proxy stands between the SDK and a service, and spoils a part of the traffic.
type proxy struct {
	mu     sync.Mutex
	random *rand.Rand
	share  float64                            // of requests that are spoilt
	choose func(*http.Request, []byte) string // decides for a request instead of chance; "" leaves it alone
	count  map[string]int                     // by kind
	again  map[string]int                     // how often a request was spoilt by chance since it last got through
	wire   http.RoundTripper
	broken []string // queries that the service's gateway would refuse, or that would look at every partition without need
}

// forPartition are the words that the gateway takes in a query over one partition only.
var forPartition = regexp.MustCompile(`\b(ORDER BY|TOP|COUNT|SUM|MAX|MIN|AVG|GROUP BY|DISTINCT|OFFSET|JOIN)\b`)

// ownPartition is how a query names the partition of its request.
var ownPartition = regexp.MustCompile(`WHERE .*\bc\.(documentId|batchId) = @`)

// gatewayRule gives the query of a request to Cosmos when it breaks a rule: what goes over partitions may filter, no more,
// and whatever has a partition says so in its WHERE clause.
func gatewayRule(r *http.Request, body []byte) string {
	var query struct{ Query string }
	if json.Unmarshal(body, &query) != nil || query.Query == "" {
		return ""
	}
	over := r.Header.Get("x-ms-documentdb-partitionkey") == ""
	if over && forPartition.MatchString(query.Query) || !over && !ownPartition.MatchString(query.Query) {
		return query.Query
	}
	return ""
}

// checkQueries tells which queries broke a rule.
func (p *proxy) checkQueries(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, query := range p.broken {
		t.Errorf("the gateway's rules do not allow: %s", query)
	}
}

// spoils are the ways in which a request can fail.
var spoils = []string{"429", "503", "500", "timeout", "dropped"}

func newProxy(share float64) *proxy {
	return &proxy{random: rand.New(rand.NewPCG(1, 2)), share: share, count: map[string]int{}, again: map[string]int{}, wire: &http.Transport{MaxIdleConnsPerHost: 16}}
}

func (p *proxy) client() *http.Client { return &http.Client{Transport: p} }

func (p *proxy) next(r *http.Request, body []byte) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if broken := gatewayRule(r, body); broken != "" {
		p.broken = append(p.broken, broken)
	}
	kind := ""
	if p.choose != nil {
		kind = p.choose(r, body)
	} else {
		kind = p.chance(r.Method + r.URL.String() + string(body))
	}
	p.count[kind]++
	return kind
}

// maxInARow is how often chance may spoil one request: less often than the SDK tries, so that what is asked of it can be
// done on every run.
const maxInARow = 2

func (p *proxy) chance(request string) string {
	if p.random.Float64() >= p.share || p.again[request] == maxInARow {
		delete(p.again, request)
		return ""
	}
	p.again[request]++
	return spoils[p.random.IntN(len(spoils))]
}

func (p *proxy) injected(kind string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count[kind]
}

// RoundTrip implements http.RoundTripper.
func (p *proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	switch kind := p.next(r, body); kind {
	case "":
		return p.wire.RoundTrip(r)
	case "timeout":
		return nil, fmt.Errorf("write tcp: i/o timeout")
	case "dropped": // the service does it, and nobody hears
		answer, err := p.wire.RoundTrip(r)
		if err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		return nil, errors.New("read tcp: connection reset by peer")
	default:
		return refuse(r, kind), nil
	}
}

func refuse(r *http.Request, status string) *http.Response {
	var code int
	fmt.Sscan(status, &code)
	return &http.Response{
		StatusCode: code, Status: status + " spoilt", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"X-Ms-Retry-After-Ms": {"5"}, "Content-Type": {"application/json"}},
		Body:   io.NopCloser(strings.NewReader(`{"code":"Spoilt","message":"by the proxy"}`)),
	}
}

// TestSuiteOnABadNetwork: every test of the suite passes although one request in twelve is refused, lost on the way, or
// done without an answer.
func TestSuiteOnABadNetwork(t *testing.T) {
	needEmulators(t)
	if testing.Short() {
		t.Skip("takes a minute")
	}
	toStorage, toCosmos := newProxy(1.0/12), newProxy(1.0/12)
	pipelinetest.Suite(t, func(t *testing.T) pipelinetest.Backend { return backend(t, toStorage.client(), toCosmos.client()) })
	toCosmos.checkQueries(t)
	for _, kind := range spoils {
		if toStorage.injected(kind) == 0 || toCosmos.injected(kind) == 0 {
			t.Errorf("%s was injected %d and %d times, want both above 0", kind, toStorage.injected(kind), toCosmos.injected(kind))
		}
	}
}

// TestManyChunks is S10: 30,000 chunks, one of 1.9 MB; Cosmos throttles, then finds batches too large.
func TestManyChunks(t *testing.T) {
	needEmulators(t)
	const number = 30_000
	toCosmos := newProxy(0)
	batches, largest := 0, 0
	toCosmos.choose = func(r *http.Request, body []byte) string {
		if r.Header.Get("x-ms-cosmos-is-batch-request") == "" {
			return ""
		}
		var operations []json.RawMessage
		json.Unmarshal(body, &operations)
		batches++
		largest = max(largest, len(operations))
		switch {
		case len(operations) > 100 || len(body) > 2<<20:
			t.Errorf("a batch has %d operations and %d bytes", len(operations), len(body))
		case batches%40 == 7:
			return "429"
		case batches > 30 && batches < 40 && len(operations) > 40:
			return "413"
		}
		return ""
	}
	b := backend(t, http.DefaultClient, toCosmos.client())
	src := job.Source{Container: "documents", Path: "long.csv"}
	r, err := b.Store.Create(t.Context(), ledger.Record{DocumentID: src.ID(), Source: src, State: ledger.Running})
	if err != nil {
		t.Fatal(err)
	}
	done := r
	done.State, done.Counts.Chunks = ledger.Succeeded, number
	if _, err := b.Store.Commit(t.Context(), r, done, ledger.ChunkChange{Put: manyChunks(src.ID(), number)}); err != nil {
		t.Fatal(err)
	}
	stamps, err := ledger.AllStamps(t.Context(), b.Store, src.ID())
	if err != nil || len(stamps) != done.Counts.Chunks {
		t.Errorf("%d chunk items, %v; want the %d of the record", len(stamps), err, done.Counts.Chunks)
	}
	first, err := b.Store.Chunks(t.Context(), src.ID(), "", 1)
	if err != nil || len(first) != 1 || !strings.Contains(string(first[0].Body), `"textRef":"chunks.jsonl"`) || len(first[0].Body) > 10_000 {
		t.Errorf("the chunk of 1.9 MB is stored as %d bytes, %v; want a reference", len(first[0].Body), err)
	}
	if toCosmos.injected("429") == 0 || toCosmos.injected("413") == 0 || largest < 50 {
		t.Errorf("429: %d, 413: %d, largest batch %d", toCosmos.injected("429"), toCosmos.injected("413"), largest)
	}
}

// manyChunks makes chunks of which the first has a text of 1.9 MB.
func manyChunks(id job.ID, number int) func(func(ledger.Chunk, error) bool) {
	return func(yield func(ledger.Chunk, error) bool) {
		for i := range number {
			text := "a row of the table"
			if i == 0 {
				text = strings.Repeat("x", 1_900_000)
			}
			chunk := fmt.Sprintf("%s-%06d", id, i)
			body, err := json.Marshal(map[string]any{"id": chunk, "documentId": id, "index": i, "text": text})
			if !yield(ledger.Chunk{ID: chunk, Body: body, Stamp: ledger.Stamp{Text: "t", Place: fmt.Sprint(i)}}, err) {
				return
			}
		}
	}
}
