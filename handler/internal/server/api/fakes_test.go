package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/server"
	"decant/handler/internal/server/api"
)

const (
	known   = "d0123456789abcdef0123456789abcdef"
	unknown = "dffffffffffffffffffffffffffffffff"
)

// full fills every field of a struct, so that a member that the description lacks shows.
func full[T any](t *testing.T) T {
	t.Helper()
	var v T
	fill(t, reflect.ValueOf(&v).Elem(), 0)
	return v
}

func fill(t *testing.T, v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)))
		return
	case job.Options:
		v.Set(reflect.ValueOf(fullOptions(t)))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"id":"c1","text":"words","embedding":[1]}`))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), depth+1)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(t, value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.String:
		v.SetString("succeeded")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.5)
	default:
		v.SetInt(3)
	}
}

func fullOptions(t *testing.T) job.Options {
	o := job.Options{
		Outputs: []string{"md"}, MaxTokens: 1, MinTokens: 1, Overlap: 1, Tokenizer: "words", Strategy: "page", NoMerge: true, TableFormat: "rows",
		Hidden: "include", Revisions: "marked", Furniture: "keep", Comments: "include", HTML: "main", Images: "none", Attachments: "list", Password: "p",
	}
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Fatalf("the test leaves option %s out", v.Type().Field(i).Name)
		}
	}
	return o
}

// service is every port at once: it knows one document and one batch, and notes what it is asked.
type service struct {
	t       *testing.T
	err     error // answers everything, when set
	query   api.Query
	limits  job.Limits
	by      string // who cancelled
	states  []string
	upload  api.Upload
	content string
	submit  event.BatchSubmit
	slow    bool
	again   bool
	sick    bool
	deleted job.ID
}

func (s *service) document(id job.ID) (api.Document, error) {
	if s.err != nil {
		return api.Document{}, s.err
	}
	if id != known {
		return api.Document{}, fault.New(fault.NotFound, "", nil)
	}
	d := full[api.Document](s.t)
	d.ID = known
	return d, nil
}

func (s *service) List(_ context.Context, q api.Query) (api.DocumentPage, error) {
	s.query = q
	d, err := s.document(known)
	return api.DocumentPage{Documents: []api.Document{d}, Next: "n"}, err
}

func (s *service) Find(_ context.Context, id job.ID) (api.Document, error) { return s.document(id) }

func (s *service) Markdown(_ context.Context, id job.ID) (io.ReadCloser, error) {
	_, err := s.document(id)
	return io.NopCloser(strings.NewReader("# Title\n")), err
}

func (s *service) Chunks(_ context.Context, id job.ID, after string, limit int) (api.ChunkPage, error) {
	s.query = api.Query{After: after, Limit: limit}
	_, err := s.document(id)
	return full[api.ChunkPage](s.t), err
}

func (s *service) Retry(_ context.Context, id job.ID, limits job.Limits) (api.Document, error) {
	s.limits = limits
	return s.document(id)
}

func (s *service) Cancel(_ context.Context, id job.ID, by string) (api.Document, error) {
	s.by = by
	return s.document(id)
}

func (s *service) Delete(_ context.Context, id job.ID) error {
	_, err := s.document(id)
	s.deleted = id
	return err
}

func (s *service) Convert(_ context.Context, u api.Upload) (api.Conversion, error) {
	s.upload = u
	content, err := io.ReadAll(u.Body)
	if err != nil {
		return api.Conversion{}, err
	}
	s.content = string(content)
	if s.slow {
		return api.Conversion{ID: known}, s.err
	}
	done := full[api.Conversion](s.t)
	done.Markdown = "# Title\n"
	return done, s.err
}

func (s *service) Check(context.Context) api.HealthReport {
	report := full[api.HealthReport](s.t)
	report.OK = !s.sick
	return report
}

func (s *service) Read(context.Context) (api.StatsReport, error) {
	return full[api.StatsReport](s.t), s.err
}

// batches is the batch part of a service, whose methods have the same names as those for documents.
type batches struct{ *service }

func (b batches) batch(id string) (api.Batch, error) {
	if b.err != nil {
		return api.Batch{}, b.err
	}
	if id != "b1" {
		return api.Batch{}, fault.New(fault.NotFound, "", nil)
	}
	batch := full[api.Batch](b.t)
	batch.ID = id
	return batch, nil
}

func (b batches) Submit(_ context.Context, s event.BatchSubmit) (api.Batch, bool, error) {
	b.submit = s
	b.service.submit = s
	batch, err := b.batch("b1")
	return batch, !b.again, err
}

func (b batches) List(_ context.Context, after string, limit int) (api.BatchPage, error) {
	batch, err := b.batch("b1")
	return api.BatchPage{Batches: []api.Batch{batch}, Next: "n"}, err
}

func (b batches) Find(_ context.Context, id string) (api.Batch, error) { return b.batch(id) }

func (b batches) Documents(ctx context.Context, id string, q api.Query) (api.DocumentPage, error) {
	if _, err := b.batch(id); err != nil {
		return api.DocumentPage{}, err
	}
	return b.service.List(ctx, q)
}

func (b batches) Cancel(_ context.Context, id, by string) (api.Batch, error) {
	b.service.by = by
	return b.batch(id)
}

func (b batches) Retry(_ context.Context, id string, states []string) (api.Batch, error) {
	b.service.states = states
	return b.batch(id)
}

func (b batches) Activity(_ context.Context, id, after string, limit int) (api.ActivityPage, error) {
	_, err := b.batch(id)
	return full[api.ActivityPage](b.t), err
}

// noJourney is never called: the API has nothing to do with it.
type noJourney struct{ server.Journey }

var decoder = event.Decoder{
	Accounts:   []event.Account{{Name: "acct", Endpoint: "https://acct.blob.core.windows.net"}},
	Containers: []string{"documents"},
}

func serve(t *testing.T, options api.Options) *server.Server {
	t.Helper()
	s, err := server.New(server.Options{Version: "1.2.3", Log: discard, Journey: noJourney{}, Prefix: azfunc.DefaultRoutePrefix, API: api.New(options)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everything is a server with all parts.
func everything(t *testing.T) (*server.Server, *service) {
	s := &service{t: t}
	return serve(t, api.Options{
		Version: "1.2.3", Documents: s, Batches: batches{s}, Converter: s, Health: s, Stats: s, Decoder: decoder, MaxUpload: 1000,
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = io.WriteString(w, "decant_documents_total 3\n")
		}),
	}), s
}

// hollow has no documents.
type hollow struct{ api.Documents }

func (hollow) List(context.Context, api.Query) (api.DocumentPage, error) {
	return api.DocumentPage{}, nil
}

func (hollow) Chunks(context.Context, job.ID, string, int) (api.ChunkPage, error) {
	return api.ChunkPage{}, nil
}
