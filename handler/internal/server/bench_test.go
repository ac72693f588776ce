package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/azfunc"
	"decant/handler/internal/event"
	"decant/handler/internal/job"
	"decant/handler/internal/server"
)

// BenchmarkInvocation is what an invocation costs besides its work: envelope, event, deadline, answer, log lines.
func BenchmarkInvocation(b *testing.B) {
	s, err := server.New(server.Options{
		Log: slog.New(slog.DiscardHandler), Journey: idle{}, Prefix: azfunc.DefaultRoutePrefix,
		Decoder: event.Decoder{Accounts: []event.Account{account}},
	})
	if err != nil {
		b.Fatal(err)
	}
	text, err := event.Created(account, job.Source{Account: "acct", Container: "documents", Path: "a/report.pdf", Size: 9}, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	body := queued(string(text))
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(body)))
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// idle is a journey on which nothing happens.
type idle struct{ server.Journey }

func (idle) Convert(context.Context, job.Job) error { return nil }
