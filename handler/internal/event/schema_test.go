package event_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"decant/handler/internal/event"
	"decant/handler/internal/job"
)

const docs = "../../../docs"

func messageSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join(docs, "schemas", "message.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// TestMessagesFitTheirSchema: what decant sends is what docs/schemas/message.schema.json promises.
func TestMessagesFitTheirSchema(t *testing.T) {
	schema := messageSchema(t)
	source := job.Source{Account: "acct", Container: "documents", Path: "a/ä.pdf", ETag: "0x1", Sequencer: "01", Size: 3, MediaType: "application/pdf", Parent: "d1"}
	limits := job.Limits{Memory: 1, Timeout: time.Minute, NoProgress: time.Second, Input: 1, Output: 1, Disk: 1, Pages: 1, Depth: 1, Members: 1}
	options := job.Options{
		Outputs: []string{"md"}, MaxTokens: 1, MinTokens: 1, Overlap: 1, Tokenizer: "words", Strategy: "page", NoMerge: true, TableFormat: "rows",
		Hidden: "include", Revisions: "marked", Furniture: "keep", Comments: "include", HTML: "main", Images: "none", Attachments: "list",
	}
	now := time.Now()
	messages := []event.Message{
		&event.Convert{Job: job.Job{ID: source.ID(), Source: source, Options: options, Limits: limits, BatchID: "b1", Depth: 1, NotAfter: now}},
		&event.Convert{Job: job.Job{Source: job.Source{Path: "a.txt", Size: -1}}},
		&event.Delete{Source: source},
		&event.BatchSubmit{BatchID: "b1", Key: "k", Name: "n", Container: "documents", Prefix: "p", Include: []string{"*"}, Exclude: []string{"x"}, Priority: "bulk",
			Options: options, Limits: event.LimitsOf(limits), Metadata: map[string]string{"a": "b"}, NotBefore: now, Expires: now, Webhook: "https://example.org/", MaxRetries: 1},
		&event.BatchSubmit{Documents: []event.Document{{URL: "https://acct.blob.core.windows.net/documents/a"}}},
		&event.BatchExpand{BatchID: "b1", Cursor: "c"},
		&event.BatchRetry{BatchID: "b1", States: []string{"failed"}},
		&event.BatchCancel{BatchID: "b1"},
	}
	for _, message := range messages {
		text, err := event.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(schema, text); err != nil {
			t.Errorf("%T: %v\n%s", message, err, text)
		}
	}
}

// TestSchemaRefusesWhatDecodeRefuses: the schema is no looser than the reader where it can tell.
func TestSchemaRefusesWhatDecodeRefuses(t *testing.T) {
	schema := messageSchema(t)
	for _, text := range []string{
		`{"schema":"decant/9","kind":"convert","document":{"container":"documents","path":"a"}}`,
		`{"schema":"decant/1","kind":"dance"}`,
		`{"schema":"decant/1","kind":"convert"}`,
		`{"schema":"decant/1","kind":"convert","document":{"container":"documents","path":"a"},"colour":"red"}`,
		`{"schema":"decant/1","kind":"batch.cancel"}`,
		`{"schema":"decant/1","kind":"batch.retry","batch":"b1","states":["succeeded"]}`,
		`{"schema":"decant/1","kind":"batch.submit","submit":{}}`,
		`{"schema":"decant/1","kind":"batch.submit","submit":{"container":"documents","webhook":"http://x/"}}`,
	} {
		if validate(schema, []byte(text)) == nil {
			t.Errorf("the schema takes %s", text)
		}
		if _, err := decoder.Decode(text); err == nil {
			t.Errorf("Decode takes %s", text)
		}
	}
}

// TestExamplesInTheDocs: every example of docs/messages.md is valid and can be read.
func TestExamplesInTheDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(docs, "messages.md"))
	if err != nil {
		t.Fatal(err)
	}
	schema := messageSchema(t)
	one := event.Decoder{Accounts: []event.Account{{Name: "account", Endpoint: "https://account.blob.core.windows.net"}}}
	examples := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	if len(examples) < 5 {
		t.Fatalf("%d examples found", len(examples))
	}
	for _, example := range examples {
		if !json.Valid(example[1]) {
			t.Errorf("no JSON: %s", example[1])
		}
		if err := validate(schema, example[1]); err != nil {
			t.Errorf("%v\n%s", err, example[1])
		}
		if _, err := one.Decode(string(example[1])); err != nil {
			t.Errorf("%v\n%s", err, example[1])
		}
	}
}
