package azfunc

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"

	"decant/handler/internal/lazyregexp"
)

// NewLogHandler gives a log handler whose lines the host classes rightly. The host reads no level and no JSON: a line on
// standard output is information, a line on standard error is an error, unless it contains "warn" in any case, which makes
// it a warning (host: WorkerProcess.cs). So errors go to standard error, with that word escaped, and all else to standard
// output, one JSON object a line. Lines are not tied to an invocation: log its id as an attribute.
func NewLogHandler(stdout, stderr io.Writer, level slog.Leveler) slog.Handler {
	options := &slog.HandlerOptions{Level: level}
	return &splitHandler{
		out: slog.NewJSONHandler(stdout, options),
		err: slog.NewJSONHandler(&unwarned{w: stderr}, options),
	}
}

type splitHandler struct{ out, err slog.Handler }

func (h *splitHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.out.Enabled(ctx, level)
}

func (h *splitHandler) Handle(ctx context.Context, record slog.Record) error {
	if record.Level >= slog.LevelError {
		return h.err.Handle(ctx, record)
	}
	return h.out.Handle(ctx, record)
}

func (h *splitHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &splitHandler{h.out.WithAttrs(attrs), h.err.WithAttrs(attrs)}
}

func (h *splitHandler) WithGroup(name string) slog.Handler {
	return &splitHandler{h.out.WithGroup(name), h.err.WithGroup(name)}
}

// unwarned writes JSON lines in which the word "warn" is spelled with an escape: the same JSON, but not the same text.
type unwarned struct {
	mu sync.Mutex
	w  io.Writer
}

var warnWord = lazyregexp.New(`(?i)(w)(a)(rn)`)

func (u *unwarned) Write(line []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	escaped := warnWord.ReplaceAllFunc(line, func(word []byte) []byte {
		letter := []byte(`\u0061`)
		if word[1] == 'A' {
			letter = []byte(`\u0041`)
		}
		return bytes.Join([][]byte{word[:1], letter, word[2:]}, nil)
	})
	if _, err := u.w.Write(escaped); err != nil {
		return 0, err
	}
	return len(line), nil
}
