package batchtest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"decant/handler/internal/batch"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
)

// receiver is the server of somebody who is told of ended batches. It refuses the first calls.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	refuse  []int // statuses of the first answers
	headers []string
	bodies  []string
}

func newReceiver(t *testing.T, refuse ...int) *receiver {
	r := &receiver{refuse: refuse}
	r.Server = httptest.NewTLSServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.headers, r.bodies = append(r.headers, q.Header.Get(batch.SignatureHeader)), append(r.bodies, string(body))
	if n := len(r.bodies); n <= len(r.refuse) {
		w.WriteHeader(r.refuse[n-1])
	}
}

func (r *receiver) calls() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.bodies)
}

// checkSignature verifies a call as docs/api.md tells receivers to.
func checkSignature(t *testing.T, header, body string, at time.Time) {
	t.Helper()
	moment, signature, ok := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	mac := hmac.New(sha256.New, []byte("secret"))
	fmt.Fprintf(mac, "%s.%s", moment, body)
	if want := hex.EncodeToString(mac.Sum(nil)); !ok || moment != fmt.Sprint(at.Unix()) || signature != want {
		t.Errorf("%s: %q, want t=%d,v1=%s", batch.SignatureHeader, header, at.Unix(), want)
	}
}

func testWebhook(t *testing.T, store batch.Store) {
	server := newReceiver(t, http.StatusBadGateway, http.StatusServiceUnavailable)
	b := newBench(t, store, server.Client())
	b.upload("w/1.txt", "one")
	h := submit(t, b, event.BatchSubmit{Prefix: "w/", Webhook: server.URL})
	b.run(t, forever)
	times := []time.Time{b.clock}
	for _, pause := range []time.Duration{time.Minute, 2 * time.Minute} {
		b.clock = b.clock.Add(pause - time.Second)
		sweepBatch(t, b, h.ID)
		if n := server.calls(); n != len(times) {
			t.Fatalf("%d calls a second before the pause of %s is over, want %d", n, pause, len(times))
		}
		b.clock = b.clock.Add(time.Second)
		sweepBatch(t, b, h.ID)
		times = append(times, b.clock)
	}
	b.clock = b.clock.Add(24 * time.Hour)
	sweepBatch(t, b, h.ID)
	if n := server.calls(); n != 3 {
		t.Fatalf("%d calls, want three: the third was answered", n)
	}
	for i, body := range server.bodies {
		checkSignature(t, server.headers[i], body, times[i])
		var told batch.Ended
		if err := json.Unmarshal([]byte(body), &told); err != nil || told.BatchID != h.ID || told.State != batch.Succeeded || told.Total != 1 {
			t.Errorf("call %d told %s, %v", i+1, body, err)
		}
	}
	checkWebhookLog(t, b, h.ID)
}

func sweepBatch(t *testing.T, b *bench, id string) {
	t.Helper()
	if err := b.Reconcile(t.Context(), id, 10); err != nil {
		t.Fatal(err)
	}
}

// checkWebhookLog: the log and the batch say how telling went.
func checkWebhookLog(t *testing.T, b *bench, id string) {
	t.Helper()
	p, err := b.Find(t.Context(), id)
	if err != nil || p.Webhook.Pending || p.Webhook.Tries != 3 || p.Webhook.Told.IsZero() {
		t.Errorf("webhook = %+v, %v", p.Webhook, err)
	}
	var log []string
	for _, a := range p.Recent {
		if strings.HasPrefix(a.Kind, "webhook") {
			log = append(log, a.Kind+": "+a.Message)
		}
	}
	if len(log) != 3 || !strings.Contains(log[2], "answered 502") || !strings.Contains(log[1], "answered 503") || !strings.HasPrefix(log[0], "webhook:") {
		t.Errorf("the log says %q; want two refusals and the call that was answered, newest first", log)
	}
}

func testCarefulWebhook(t *testing.T, store batch.Store) {
	server := newReceiver(t)
	b := newBench(t, store, nil)
	b.upload("w/1.txt", "one")
	h := submit(t, b, event.BatchSubmit{Prefix: "w/", Webhook: server.URL})
	b.run(t, forever)
	p, err := b.Find(t.Context(), h.ID)
	if err != nil || server.calls() != 0 || !p.Webhook.Pending || p.Webhook.Tries != 1 {
		t.Errorf("a webhook on this machine: %d calls, %+v, %v; want none", server.calls(), p.Webhook, err)
	}
	silent := batch.New(b.Ports, batch.Options{Queue: "conversions"})
	if _, _, err := silent.Submit(t.Context(), event.BatchSubmit{Container: "documents", Webhook: server.URL}); fault.KindOf(err) != fault.BadRequest {
		t.Errorf("a webhook that nobody could sign = %v, want bad_request", err)
	}
}
