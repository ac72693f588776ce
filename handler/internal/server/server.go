package server

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"decant/handler/internal/azfunc"
)

// Server is the handler of all requests. It is safe for concurrent use.
type Server struct {
	echo *echo.Echo
	opt  Options
}

// maxBody bounds a request's body under the route prefix. The host itself forwards at most 100 MB.
const maxBody = "101M"

// New makes a server. It fails when a required option is missing or the route prefix is empty.
func New(options Options) (*Server, error) {
	prefix := strings.Trim(options.Prefix, "/")
	switch {
	case options.Journey == nil || options.Log == nil:
		return nil, errors.New("server: Journey and Log are required")
	case prefix == "":
		return nil, errors.New("server: an empty route prefix would let outside callers forge queue messages")
	}
	s := &Server{echo: echo.New(), opt: options.withDefaults()}
	e := s.echo
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.fail
	e.Use(s.requestLog(), middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisablePrintStack: true,
		LogErrorFunc:      s.logPanic,
	}))
	e.Use(s.apiLimits("/" + prefix + "/")...)
	s.hostRoutes(e)
	if s.opt.API != nil {
		s.opt.API.Routes(e.Group("/" + prefix))
	}
	return s, nil
}

// apiLimits bound requests below the prefix. They are not the group's own middleware, because echo then answers 404 where
// 405 is right.
func (s *Server) apiLimits(prefix string) []echo.MiddlewareFunc {
	elsewhere := func(c echo.Context) bool { return !strings.HasPrefix(c.Request().URL.Path, prefix) }
	return []echo.MiddlewareFunc{
		middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Skipper: elsewhere, Limit: maxBody}),
		middleware.ContextTimeoutWithConfig(middleware.ContextTimeoutConfig{Skipper: elsewhere, Timeout: s.opt.APITime}),
	}
}

// ServeHTTP makes Server a http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Routes lists what is registered, as "GET /api/health".
func (s *Server) Routes() []string {
	var routes []string
	for _, route := range s.echo.Routes() {
		if route.Method != echo.RouteNotFound {
			routes = append(routes, route.Method+" "+route.Path)
		}
	}
	return routes
}

// hostRoutes registers what the host calls itself: one route per function with a queue or timer trigger, and the probe.
func (s *Server) hostRoutes(e *echo.Echo) {
	e.GET("/", s.probe)
	for function, do := range map[string]work{
		"convert":      s.convert,
		"convert_bulk": s.convert,
		"poison":       s.poison,
		"poison_bulk":  s.poison,
		"sweep":        s.sweep,
	} {
		e.POST("/"+function, s.envelope(function, do), s.onlyHost)
	}
}

// probe answers the host's readiness check, which takes any answer as yes: listening is what says that the handler is ready.
// It must be instant, since the platform's own ping waits for it.
func (s *Server) probe(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]string{"name": "decant", "version": s.opt.Version})
}

// forwardedOnly are headers of requests from outside that the host copies when it forwards them, and never sets on an envelope.
var forwardedOnly = []string{
	"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Original-Url", "X-Original-For", "Forwarded",
	"X-Arr-Log-Id", "X-Arr-Ssl", "Disguised-Host", "X-Functions-Key", "Authorization", "Cookie", "Origin", "Referer",
}

// onlyHost keeps forwarded requests away from the envelope routes. The path already does; this is for the day when
// somebody puts a proxy in front or changes routes.
func (s *Server) onlyHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		for _, name := range forwardedOnly {
			if r.Header.Get(name) != "" {
				return notFound
			}
		}
		if r.URL.RawQuery != "" {
			return notFound
		}
		return next(c)
	}
}

// requestLog writes one line per request, except for the probe and the health check, which come all the time.
func (s *Server) requestLog() echo.MiddlewareFunc {
	return middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
		Skipper:     func(c echo.Context) bool { return c.Path() == "/" || strings.HasSuffix(c.Path(), "/health") },
		LogLatency:  true,
		LogMethod:   true,
		LogStatus:   true,
		LogError:    true,
		LogURIPath:  true,
		HandleError: true,
		LogHeaders:  []string{azfunc.HeaderInvocationID},
		LogValuesFunc: func(c echo.Context, v middleware.RequestLoggerValues) error {
			attrs := []slog.Attr{
				slog.String("method", v.Method),
				slog.String("path", v.URIPath),
				slog.Int("status", v.Status),
				slog.Duration("took", v.Latency),
				slog.String("invocation", c.Request().Header.Get(azfunc.HeaderInvocationID)),
			}
			level := slog.LevelInfo
			if v.Error != nil {
				attrs = append(attrs, slog.String("error", v.Error.Error()))
				if v.Status == http.StatusInternalServerError {
					level = slog.LevelError
				}
			}
			s.opt.Log.LogAttrs(c.Request().Context(), level, "request", attrs...)
			return nil
		},
	})
}

func (s *Server) logPanic(c echo.Context, err error, stack []byte) error {
	s.opt.Log.Error("panic in a request", "path", c.Request().URL.Path, "error", err.Error(), "stack", string(stack),
		"invocation", c.Request().Header.Get(azfunc.HeaderInvocationID))
	return err
}
