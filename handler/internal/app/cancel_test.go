package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/ledger"
)

// TestCancelThroughAPI: a running document that somebody cancels loses its process within two seconds, leaves no result, and says
// who cancelled it and when. Meanwhile `decant status --pool` shows that it runs.
func TestCancelThroughAPI(t *testing.T) {
	cloud, host := startChaos(t)
	g := guest{name: "endless" + hostileSuffix, file: writeFile(t, "progress parse 1\noutput 8\nsleep 1h"), bad: &hostility{}}
	must(t, deliverAll(t.Context(), cloud, []guest{g}))
	id := sourceOf(cloud, g.name).ID()
	for end := time.Now().Add(time.Minute); ; sleep(t.Context(), 20*time.Millisecond) {
		r, err := cloud.ledger.Load(t.Context(), id)
		if err == nil && r.State == ledger.Running && len(childrenOf(host.PID())) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the document does not run after a minute")
		}
	}
	shown := decant(t, t.TempDir(), "", "status", "--pool", "--url", host.URL())
	for _, want := range []string{"1 running of", "seccomp", "landlock"} {
		if shown.code != 0 || !strings.Contains(shown.stdout, want) {
			t.Errorf("status --pool ends with %d and shows no %q:\n%s%s", shown.code, want, shown.stdout, shown.stderr)
		}
	}

	at := time.Now()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, host.URL()+"/api/documents/"+string(id)+"/cancel", nil)
	must(t, err)
	request.Header.Set("X-MS-CLIENT-PRINCIPAL-NAME", "ada") // as App Service's sign-in does
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	response.Body.Close()
	for len(childrenOf(host.PID())) > 0 && time.Since(at) < time.Minute {
		time.Sleep(20 * time.Millisecond)
	}
	t.Logf("%s, gone after %v", response.Status, time.Since(at).Round(time.Millisecond))
	if took := time.Since(at); response.StatusCode != http.StatusOK || took > 2*time.Second {
		t.Errorf("cancel: %s, and the process ended after %v", response.Status, took)
	}
	r, err := cloud.ledger.Load(t.Context(), id)
	must(t, err)
	if r.State != ledger.Cancelled || r.Cause == nil || r.Cause.By != "ada" || r.Finished.Before(at.Add(-time.Minute)) {
		t.Errorf("record: %s, %+v, finished %s", r.State, r.Cause, r.Finished)
	}
	if _, err := cloud.sink.Manifest(t.Context(), r.Source); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a cancelled document has results: %v", err)
	}
}
