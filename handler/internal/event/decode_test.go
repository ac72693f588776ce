package event_test

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

var azure = event.Account{Name: "acct", Endpoint: "https://acct.blob.core.windows.net/"}
var azurite = event.Account{Name: "devstoreaccount1", Endpoint: "http://127.0.0.1:10000/devstoreaccount1"}

var decoder = event.Decoder{Accounts: []event.Account{azure, azurite}, Containers: []string{"documents", "$root"}}

// created is an Event Grid event, as it comes off a queue; the replacer fills in what a case changes.
func created(replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`{"topic":"/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/acct",` +
		`"subject":"/blobServices/default/containers/documents/blobs/a/report.pdf","eventType":"Microsoft.Storage.BlobCreated",` +
		`"id":"831e1650-001e-001b-66ab-eeb76e069631","data":{"api":"PutBlockList","clientRequestId":"c","requestId":"r",` +
		`"eTag":"\"0x8D4BCC2E4835CD0\"","contentType":"application/pdf","contentLength":524288,"blobType":"BlockBlob",` +
		`"url":"https://acct.blob.core.windows.net/documents/a/report.pdf","sequencer":"00000000000004420000000000028963",` +
		`"storageDiagnostics":{"batchId":"b"}},"dataVersion":"","metadataVersion":"1","eventTime":"2026-11-02T10:00:00.123Z"}`)
}

const cloud = `{"source":"/subscriptions/s","subject":"/blobServices/default/containers/documents/blobs/a/report.pdf",` +
	`"type":"Microsoft.Storage.BlobCreated","time":"2026-11-02T10:00:00.123Z","id":"831e1650-001e-001b-66ab-eeb76e069631",` +
	`"specversion":"1.0","data":{"api":"PutBlockList","eTag":"0x8D4BCC2E4835CD0","contentType":"application/pdf",` +
	`"contentLength":524288,"url":"https://acct.blob.core.windows.net/documents/a/report.pdf","sequencer":"00000000000004420000000000028963"}}`

func report() *event.Convert {
	source := job.Source{
		Account: "acct", Container: "documents", Path: "a/report.pdf", ETag: "0x8D4BCC2E4835CD0",
		Sequencer: "00000000000004420000000000028963", Size: 524288, MediaType: "application/pdf",
	}
	at := time.Date(2026, 11, 2, 10, 0, 0, 123e6, time.UTC)
	return &event.Convert{
		Job:     job.Job{ID: source.ID(), Source: source, Enqueued: at},
		EventID: "831e1650-001e-001b-66ab-eeb76e069631", Time: at,
	}
}

// TestForms is S3: every form in which the same event can come gives the same job.
func TestForms(t *testing.T) {
	tests := []struct{ name, text string }{
		{"event_grid", created()},
		{"event_grid_base64", base64.StdEncoding.EncodeToString([]byte(created()))},
		{"event_grid_array_of_one", "[" + created() + "]"},
		{"event_grid_array_base64", base64.StdEncoding.EncodeToString([]byte("[" + created() + "]"))},
		{"event_grid_etag_without_quotes", created(`\"0x8D4BCC2E4835CD0\"`, `0x8D4BCC2E4835CD0`)},
		{"event_grid_indented_with_mark", "\ufeff \n" + strings.ReplaceAll(created(), ",", ",\n  ")},
		{"cloud_event", cloud},
		{"cloud_event_base64_with_line_end", base64.StdEncoding.EncodeToString([]byte(cloud)) + "\n"},
		{"data_lake_endpoint", created("acct.blob.core", "acct.dfs.core")},
		{"host_in_upper_case", created("acct.blob.core.windows.net", "ACCT.blob.core.windows.net")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := decoder.Decode(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(event.Message(report()), got); diff != "" {
				t.Errorf("Decode (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct{ name, text, words string }{
		{"empty", "", "neither"},
		{"garbage", "hello, queue", "neither"},
		{"text_that_is_valid_base64", "done", "neither"},
		{"base64_of_plain_text", base64.StdEncoding.EncodeToString([]byte("hello")), "neither"},
		{"number", "1", "neither"},
		{"json_of_something_else", `{"hello":"world"}`, "neither"},
		{"cut_off", created()[:200], "not readable"},
		{"array_of_two", "[" + created() + "," + created() + "]", "2 events"},
		{"array_of_none", "[]", "0 events"},
		{"array_of_text", `["x"]`, "neither"},
		{"not_utf8", "{\"schema\":\"\xff\"}", "UTF-8"},
		{"larger_than_a_queue_message", `{"a":"` + strings.Repeat("x", event.MaxBytes) + `"}`, "64 KiB"},
		{"other_event_type", created("BlobCreated", "BlobRenamed"), "BlobRenamed"},
		{"subscription_validation", `{"eventType":"Microsoft.EventGrid.SubscriptionValidationEvent","data":{}}`, "not handled"},
		{"cloud_events_0.3", strings.Replace(cloud, `"1.0"`, `"0.3"`, 1), "0.3"},
		{"foreign_host", created("acct.blob.core.windows.net", "evil.example"), "not a storage account of this app"},
		{"host_that_begins_like_ours", created("acct.blob.core.windows.net", "acct.blob.core.windows.net.evil.example"), "not a storage account"},
		{"user_in_front_of_a_foreign_host", created("https://acct.blob.core.windows.net", "https://acct.blob.core.windows.net@evil.example"), "not a storage account"},
		{"azurite_with_another_account", created("https://acct.blob.core.windows.net", "http://127.0.0.1:10000/other"), "not a storage account"},
		{"no_url", created("https://acct.blob.core.windows.net/documents/a/report.pdf", ""), "no data.url"},
		{"file_url", created("https://", "file://"), "not a URL of a blob"},
		{"container_only", created("/documents/a/report.pdf\",\"seq", "/documents\",\"seq"), "only a container"},
		{"climbing_name", created("documents/a/report.pdf\",\"seq", "documents/a/%2E%2E/x\",\"seq"), "step"},
		{"climbing_with_backslash", created("documents/a/report.pdf\",\"seq", "documents/..%5Cx\",\"seq"), "step"},
		{"nul_in_name", created("documents/a/report.pdf\",\"seq", "documents/a%00b\",\"seq"), "UTF-8"},
		{"not_utf8_name", created("documents/a/report.pdf\",\"seq", "documents/a%ff\",\"seq"), "UTF-8"},
		{"length_as_text", created("524288", `"x"`), "not readable"},
		{"own_unknown_schema", `{"schema":"decant/9","kind":"convert"}`, "decant/9"},
		{"own_unknown_kind", `{"schema":"decant/1","kind":"dance"}`, "dance"},
		{"own_unknown_member", `{"schema":"decant/1","kind":"convert","colour":"red"}`, "colour"},
		{"own_without_document", `{"schema":"decant/1","kind":"convert"}`, "document"},
		{"own_foreign_account", `{"schema":"decant/1","kind":"convert","document":{"account":"x","container":"documents","path":"a"}}`, "not a storage account"},
		{"own_bad_container", `{"schema":"decant/1","kind":"convert","document":{"account":"acct","container":"../x","path":"a"}}`, "not the name of a container"},
		{"own_bad_duration", `{"schema":"decant/1","kind":"convert","limits":{"timeout":5}}`, "10m"},
		{"own_option_with_a_typo", `{"schema":"decant/1","kind":"convert","document":{"account":"acct","container":"documents","path":"a"},"options":{"strategy":"hybird"}}`, "strategy=hybird"},
		{"own_tokenizer_from_disk", `{"schema":"decant/1","kind":"convert","document":{"account":"acct","container":"documents","path":"a"},"options":{"tokenizer":"/etc/passwd"}}`, "tokenizer=/etc/passwd"},
		{"own_submit_with_a_typo", `{"schema":"decant/1","kind":"batch.submit","submit":{"container":"documents","options":{"html":"mian"}}}`, "html=mian"},
		{"own_batch_without_id", `{"schema":"decant/1","kind":"batch.cancel"}`, "id of a batch"},
		{"own_retry_of_done_ones", `{"schema":"decant/1","kind":"batch.retry","batch":"b1","states":["succeeded"]}`, "succeeded"},
		{"own_submit_of_nothing", `{"schema":"decant/1","kind":"batch.submit","submit":{}}`, "neither documents nor a container"},
		{"own_submit_with_plain_webhook", `{"schema":"decant/1","kind":"batch.submit","submit":{"container":"documents","webhook":"http://x/"}}`, "https"},
		{"two_objects", `{"schema":"decant/1","kind":"batch.cancel","batch":"b"}{}`, "not readable"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := decoder.Decode(test.text)
			if fault.KindOf(err) != fault.BadMessage {
				t.Fatalf("Decode() = %#v, %v, want a fault of kind %s", got, err, fault.BadMessage)
			}
			if words := fault.From(err).Message; !strings.Contains(words, test.words) {
				t.Errorf("the sentence is %q, want it to say %q", words, test.words)
			}
			if fault.Retryable(err) {
				t.Error("a message that cannot be read would be tried again")
			}
		})
	}
}

// TestUnfinishedUploads is S2: an empty blob made by PutBlob or CreateFile waits for the event of its content.
func TestUnfinishedUploads(t *testing.T) {
	tests := []struct {
		name, api string
		length    string
		ignored   bool
	}{
		{"put_blob_of_nothing", "PutBlob", `"contentLength":0`, true},
		{"create_file", "CreateFile", `"contentLength":0`, true},
		{"put_blob_with_content", "PutBlob", `"contentLength":5`, false},
		{"flush_with_close", "FlushWithClose", `"contentLength":0`, false},
		{"put_block_list_of_nothing", "PutBlockList", `"contentLength":0`, false},
		{"copy_blob", "CopyBlob", `"contentLength":0`, false},
		{"length_unknown", "PutBlob", `"contentOffset":0`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := decoder.Decode(created("PutBlockList", test.api, `"contentLength":524288`, test.length))
			if err != nil {
				t.Fatal(err)
			}
			if _, ignored := got.(*event.Ignored); ignored != test.ignored {
				t.Errorf("Decode() = %#v, want ignored %v", got, test.ignored)
			}
			if c, ok := got.(*event.Convert); ok && test.name == "length_unknown" && c.Job.Source.Size != -1 {
				t.Errorf("Size = %d, want -1 for an unknown length", c.Job.Source.Size)
			}
		})
	}
}

func TestDeleted(t *testing.T) {
	got, err := decoder.Decode(created("BlobCreated", "BlobDeleted", "PutBlockList", "DeleteBlob"))
	if err != nil {
		t.Fatal(err)
	}
	d, ok := got.(*event.Delete)
	if !ok || d.Source.ID() != report().Job.ID || d.EventID == "" || d.Source.Sequencer == "" {
		t.Errorf("Decode() = %#v, want the deletion of the same document", got)
	}
}

func TestOwnResultsAreIgnored(t *testing.T) {
	got, err := decoder.Decode(created("/documents/a", "/converted/a"))
	if ignored, ok := got.(*event.Ignored); err != nil || !ok || !strings.Contains(ignored.Reason, "converted") {
		t.Errorf("Decode() = %#v, %v, want an ignored event, else results would be converted for ever", got, err)
	}
}

// TestNames: what the URL says is the name, unescaped once, and what we build ourselves is read back as it was.
func TestNames(t *testing.T) {
	names := []string{
		"a/report.pdf", "ä ö/ü.pdf", "😀.docx", "100%.pdf", "%20.pdf", "a+b & c=d.txt", "q?x#y.md", "semi;colon,comma.txt",
		"a b/c d", "trailing/", "double//slash", "quote\"s'.txt", "mail.eml!/image.png", "tab\there", "[1]{2}|.txt",
	}
	for _, account := range []event.Account{azure, azurite} {
		for _, name := range names {
			source := job.Source{Account: account.Name, Container: "documents", Path: name, ETag: "0x1", Size: 3}
			text, err := event.Created(account, source, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			got, err := decoder.Decode(string(text))
			if err != nil {
				t.Errorf("%s %q: %v", account.Name, name, err)
				continue
			}
			if diff := cmp.Diff(source, got.(*event.Convert).Job.Source); diff != "" {
				t.Errorf("%s %q (-want +got):\n%s", account.Name, name, diff)
			}
		}
	}
}

func TestMarshalReadsBack(t *testing.T) {
	source := report().Job.Source
	source.Parent = "d1"
	whole := job.Job{
		ID: source.ID(), Source: source, Options: job.Options{MaxTokens: 256, Outputs: []string{"md"}},
		Limits: job.Limits{Memory: 3 * job.GiB, Timeout: 20 * time.Minute}, BatchID: "b1", Depth: 2, NotAfter: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	messages := map[string]event.Message{
		"convert": &event.Convert{Job: whole},
		"delete":  &event.Delete{Source: source},
		"submit": &event.BatchSubmit{
			BatchID: "b1", Key: "k", Name: "n", Container: "documents", Prefix: "2026/", Include: []string{"*.pdf"}, Priority: "normal",
			Options: job.Options{MaxTokens: 99}, Limits: event.Limits{Timeout: event.Duration(time.Minute)}, Metadata: map[string]string{"a": "b"},
			NotBefore: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Expires: time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC),
			Webhook: "https://example.org/done", MaxRetries: 2,
		},
		"expand": &event.BatchExpand{BatchID: "b1", Cursor: "x"},
		"retry":  &event.BatchRetry{BatchID: "b1", States: []string{"failed"}},
		"cancel": &event.BatchCancel{BatchID: "b1"},
	}
	for name, message := range messages {
		t.Run(name, func(t *testing.T) {
			text, err := event.Marshal(message)
			if err != nil {
				t.Fatal(err)
			}
			queued, err := event.QueueText(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range []string{string(text), queued} {
				got, err := decoder.Decode(form)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(message, got); diff != "" {
					t.Errorf("Decode(Marshal) (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestNoMemberOverridesHostMetadata: a member called DequeueCount or id would replace what the host says (azfunc.ReservedNames).
func TestNoMemberOverridesHostMetadata(t *testing.T) {
	text, err := event.Marshal(&event.Convert{Job: report().Job})
	if err != nil {
		t.Fatal(err)
	}
	members := event.Members()
	if len(members) < 8 || !strings.Contains(string(text), `"`+members[0]+`"`) {
		t.Fatalf("Members() = %v do not look like the members of %s", members, text)
	}
	for _, member := range members {
		for _, reserved := range azfunc.ReservedNames {
			if strings.EqualFold(member, reserved) {
				t.Errorf("member %q overrides the host's %q", member, reserved)
			}
		}
	}
}

func TestAccountMayBeLeftOutWhenThereIsOne(t *testing.T) {
	one := event.Decoder{Accounts: []event.Account{azure}}
	got, err := one.Decode(`{"schema":"decant/1","kind":"convert","document":{"container":"documents","path":"a.txt"}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := job.Source{Account: "acct", Container: "documents", Path: "a.txt", Size: -1}
	if diff := cmp.Diff(want, got.(*event.Convert).Job.Source); diff != "" {
		t.Errorf("Source (-want +got):\n%s", diff)
	}
}

func TestConfiguredTokenizerIsAllowed(t *testing.T) {
	own := event.Decoder{Accounts: []event.Account{azure}, Tokenizers: []string{"/models/tokenizer.json"}}
	if _, err := own.Decode(`{"schema":"decant/1","kind":"convert","document":{"container":"documents","path":"a"},"options":{"tokenizer":"/models/tokenizer.json"}}`); err != nil {
		t.Error(err)
	}
}

func TestLimitsCoverJobLimits(t *testing.T) {
	var l job.Limits
	v := reflect.ValueOf(&l).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(int64(i + 1))
	}
	if diff := cmp.Diff(l, event.LimitsOf(l).Job()); diff != "" {
		t.Errorf("a limit is lost on the way (-want +got):\n%s", diff)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(created())
	f.Add(cloud)
	f.Add("[" + created() + "]")
	f.Add(base64.StdEncoding.EncodeToString([]byte(cloud)))
	f.Add(`{"schema":"decant/1","kind":"batch.submit","submit":{"container":"documents"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		message, err := decoder.Decode(text)
		if err != nil {
			if fault.KindOf(err) != fault.BadMessage || fault.From(err).Message == "" {
				t.Errorf("Decode(%q) fails with %v, not a bad message with words", text, err)
			}
			return
		}
		if c, ok := message.(*event.Convert); ok && (c.Job.ID == "" || c.Job.Source.Path == "" || c.Job.ID != c.Job.Source.ID()) {
			t.Errorf("Decode(%q) gives a job without identity: %+v", text, c.Job)
		}
	})
}
