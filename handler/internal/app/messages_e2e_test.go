package app

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/deadletter"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// TestMessages is S3 and S5 on the real service: every form of a message about a document is understood, in base64 and plain,
// garbage becomes a dead letter at its first delivery, and a document over its time fails alone, at its first delivery too.
func TestMessages(t *testing.T) {
	s := startStand(t)
	forms := map[string]func(url string) string{
		"own.txt": func(string) string {
			return `{"schema":"decant/1","kind":"convert","document":{"container":"documents","path":"own.txt"}}`
		},
		"plain own.txt": func(string) string {
			return `{"schema":"decant/1","kind":"convert","document":{"container":"documents","path":"plain own.txt"}}`
		},
		"plain-grid.txt": func(url string) string {
			return fmt.Sprintf(`[{"id":"1","eventType":"Microsoft.Storage.BlobCreated","subject":"/blobServices/default/containers/documents/blobs/plain-grid.txt","data":{"api":"PutBlob","contentLength":4,"blobType":"BlockBlob","url":%q,"sequencer":"01"},"dataVersion":"","eventTime":"2026-01-01T00:00:00Z"}]`, url)
		},
		"grid.txt": func(url string) string {
			return fmt.Sprintf(`{"id":"1","eventType":"Microsoft.Storage.BlobCreated","subject":"/blobServices/default/containers/documents/blobs/grid.txt","data":{"api":"PutBlob","contentLength":4,"blobType":"BlockBlob","url":%q,"sequencer":"01"},"dataVersion":"","eventTime":"2026-01-01T00:00:00Z"}`, url)
		},
		"cloud.txt": func(url string) string {
			return fmt.Sprintf(`{"specversion":"1.0","id":"2","source":"/x","type":"Microsoft.Storage.BlobCreated","subject":"/blobServices/default/containers/documents/blobs/cloud.txt","data":{"api":"PutBlob","contentLength":4,"blobType":"BlockBlob","url":%q,"sequencer":"01"}}`, url)
		},
	}
	handlers, err := openCloud(s.service) // it knows storage by the address of the proxy
	must(t, err)
	for name, form := range forms {
		src := job.Source{Container: s.cloud.settings.Documents, Path: name}
		_, err := s.cloud.files.Upload(t.Context(), src, strings.NewReader("text"))
		must(t, err)
		text := form(strings.TrimSuffix(handlers.blobs.Endpoint(), "/") + "/documents/" + name)
		if !strings.HasPrefix(name, "plain") {
			text = base64.StdEncoding.EncodeToString([]byte(text))
		}
		must(t, s.cloud.queues.Send(t.Context(), s.cloud.settings.Conversions, text))
	}
	garbage := []string{"no message at all", "done", base64.StdEncoding.EncodeToString([]byte("no message, encoded")), `{"schema":"decant/1","kind":"convert"}`}
	for _, text := range garbage { // "done" happens to be base64
		must(t, s.cloud.queues.Send(t.Context(), s.cloud.settings.Conversions, text))
	}
	slow := job.Source{Container: s.cloud.settings.Documents, Path: "slow.txt"}
	slow, err = s.cloud.files.Upload(t.Context(), slow, strings.NewReader(strings.Repeat("a line of text\n", 1_000_000)))
	must(t, err)
	must(t, s.cloud.enqueue(t.Context(), &event.Convert{Job: job.Job{Source: slow, Limits: job.Limits{Timeout: time.Millisecond}}}))

	for name := range forms {
		if r := awaitRecord(t, s.cloud, name); r.State != ledger.Succeeded {
			t.Errorf("%s: %s, %+v", name, r.State, r.Cause)
		}
	}
	r := awaitRecord(t, s.cloud, slow.Path)
	if r.State != ledger.Failed || r.Cause.Kind != fault.Timeout || len(r.Attempts) != 1 {
		t.Errorf("a document over its time is %s, %+v after %d attempts, want failed with timeout after one", r.State, r.Cause, len(r.Attempts))
	}
	for _, l := range s.awaitLetters(t, len(garbage)) {
		if l.Class != fault.BadMessage || l.Attempts != 1 {
			text, _ := json.Marshal(l)
			t.Errorf("dead letter %s, want bad_message at the first delivery", text)
		}
	}
}

// awaitLetters waits until so many dead letters are there.
func (s *stand) awaitLetters(t *testing.T, number int) (letters []deadletter.Letter) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); sleep(t.Context(), 200*time.Millisecond) {
		var err error
		letters, err = s.cloud.box.Letters(t.Context())
		must(t, err)
		if len(letters) >= number {
			return letters
		}
	}
	t.Errorf("%d dead letters after a minute, want %d", len(letters), number)
	return letters
}
