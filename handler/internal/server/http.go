package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of the connections. There is no limit for a whole request: an invocation takes as long as its document, up to
// Options.Deadline, and the caller is the Functions host on the same machine.
const (
	maxHeaderBytes = 64 << 10
	headerTimeout  = 10 * time.Second
	idleTimeout    = 5 * time.Minute // longer than the host keeps idle connections, so that it never meets a closed one
)

// HTTPServer makes the http.Server that serves s. When base ends every invocation that runs is told to stop, and answers
// the host that its message has to come back; call Shutdown after that. Listen on 127.0.0.1 only, at azfunc.EnvPort.
func (s *Server) HTTPServer(base context.Context) *http.Server {
	return &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.opt.Log.Handler(), slog.LevelInfo), // what goes wrong here is the caller's
	}
}
