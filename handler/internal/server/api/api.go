package api

import (
	_ "embed"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/fault"
	"decant/handler/internal/server"
)

// API is the part of the server below the route prefix.
type API struct {
	opt        Options
	parameters map[string][]string // of a query, by method and path of the route
}

var _ server.Mount = (*API)(nil)

// defaultUpload is the largest file of POST /api/convert, in bytes.
const defaultUpload = 32 << 20

// New makes the API.
func New(options Options) *API {
	if options.MaxUpload <= 0 {
		options.MaxUpload = defaultUpload
	}
	return &API{options, queryParameters()}
}

//go:embed openapi.json
var openAPI []byte

// Routes registers everything.
func (a *API) Routes(g *echo.Group) {
	g.GET("/health", a.health)
	g.HEAD("/health", a.health)
	g.GET("/openapi.json", a.describe)
	g.GET("/stats", a.stats)
	g.GET("/metrics", a.metrics)

	g.GET("/documents", a.checked(a.listDocuments))
	g.GET("/documents/:id", a.checked(a.findDocument))
	g.DELETE("/documents/:id", a.checked(a.deleteDocument))
	g.GET("/documents/:id/markdown", a.checked(a.markdown))
	g.GET("/documents/:id/chunks", a.checked(a.chunks))
	g.POST("/documents/:id/retry", a.checked(a.retryDocument))
	g.POST("/documents/:id/cancel", a.checked(a.cancelDocument))
	g.POST("/convert", a.checked(a.convert))

	g.GET("/batches", a.checked(a.listBatches))
	g.POST("/batches", a.checked(a.submitBatch))
	g.GET("/batches/:id", a.checked(a.findBatch))
	g.GET("/batches/:id/documents", a.checked(a.batchDocuments))
	g.GET("/batches/:id/activity", a.checked(a.batchActivity))
	g.POST("/batches/:id/cancel", a.checked(a.cancelBatch))
	g.POST("/batches/:id/retry", a.checked(a.retryBatch))
}

func (a *API) describe(c echo.Context) error {
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, openAPI)
}

// health answers even when nothing is given to check: then it says that the handler is there.
func (a *API) health(c echo.Context) error {
	report := HealthReport{OK: true}
	if a.opt.Health != nil {
		report = a.opt.Health.Check(c.Request().Context())
	}
	report.Version = a.opt.Version
	if report.Locks == nil {
		report.Locks = []string{}
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	if !report.OK {
		return c.JSON(http.StatusServiceUnavailable, report)
	}
	return c.JSON(http.StatusOK, report)
}

func (a *API) stats(c echo.Context) error {
	if a.opt.Stats == nil {
		return server.NotOffered("statistics")
	}
	report, err := a.opt.Stats.Read(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, report)
}

func (a *API) metrics(c echo.Context) error {
	if a.opt.Metrics == nil {
		return server.NotOffered("metrics")
	}
	a.opt.Metrics.ServeHTTP(c.Response(), c.Request())
	return nil
}

// Page sizes.
const (
	defaultLimit = 100
	maxLimit     = 1000
)

func limitOf(c echo.Context) (int, error) {
	text := c.QueryParam("limit")
	if text == "" {
		return defaultLimit, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxLimit {
		return 0, fault.Newf(fault.BadRequest, "limit=%.20s: must be a number from 1 to %d.", text, maxLimit)
	}
	return n, nil
}

// since reads a date, or a time back from now such as 24h.
func since(c echo.Context) (time.Time, error) {
	text := c.QueryParam("since")
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return time.Now().Add(-d), nil
	}
	t, err := time.Parse(time.RFC3339, strings.Replace(text, " ", "+", 1)) // a plus that was not escaped comes as a blank
	if err != nil {
		return time.Time{}, fault.Newf(fault.BadRequest, "since=%.40s: must be a date such as 2026-11-02T10:00:00Z or a time such as 24h.", text)
	}
	return t, nil
}
