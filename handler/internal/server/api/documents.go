package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/server"
)

// States are those that a document can be in, as lists filter by them.
var States = []string{"queued", "running", "succeeded", "empty", "failed", "cancelled", "poisoned", "gone"}

var documentID = lazyregexp.New(`^d[0-9a-f]{32}$`)

// documents gives the part, or the problem that it is not there.
func (a *API) documents() (Documents, error) {
	if a.opt.Documents == nil {
		return nil, server.NotOffered("documents")
	}
	return a.opt.Documents, nil
}

// document gives the part and the id of the path. An id of another form is not there, whatever is stored.
func (a *API) document(c echo.Context) (Documents, job.ID, error) {
	documents, err := a.documents()
	if err != nil {
		return nil, "", err
	}
	id := c.Param("id")
	if !documentID.MatchString(id) {
		return nil, "", fault.New(fault.NotFound, "", nil)
	}
	return documents, job.ID(id), nil
}

func queryOf(c echo.Context) (Query, error) {
	limit, err := limitOf(c)
	if err != nil {
		return Query{}, err
	}
	from, err := since(c)
	if err != nil {
		return Query{}, err
	}
	state := c.QueryParam("state")
	if state != "" && !slices.Contains(States, state) {
		return Query{}, fault.Newf(fault.BadRequest, "state=%.40s: must be one of %s.", state, strings.Join(States, ", "))
	}
	return Query{State: state, Format: c.QueryParam("format"), Since: from, After: c.QueryParam("after"), Limit: limit}, nil
}

func (a *API) listDocuments(c echo.Context) error {
	documents, err := a.documents()
	if err != nil {
		return err
	}
	query, err := queryOf(c)
	if err != nil {
		return err
	}
	page, err := documents.List(c.Request().Context(), query)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page.slim())
}

// slim leaves the histories out of a list.
func (p DocumentPage) slim() DocumentPage {
	slim := DocumentPage{Documents: make([]Document, 0, len(p.Documents)), Next: p.Next}
	for _, d := range p.Documents {
		d.Attempts = nil
		slim.Documents = append(slim.Documents, d)
	}
	return slim
}

func (a *API) findDocument(c echo.Context) error {
	documents, id, err := a.document(c)
	if err != nil {
		return err
	}
	d, err := documents.Find(c.Request().Context(), id)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, d)
}

func (a *API) deleteDocument(c echo.Context) error {
	documents, id, err := a.document(c)
	if err != nil {
		return err
	}
	if err := documents.Delete(c.Request().Context(), id); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]any{"id": id, "deleted": true})
}

func (a *API) markdown(c echo.Context) error {
	documents, id, err := a.document(c)
	if err != nil {
		return err
	}
	content, err := documents.Markdown(c.Request().Context(), id)
	if err != nil {
		return err
	}
	defer content.Close()
	c.Response().Header().Set("X-Content-Type-Options", "nosniff") // the text is somebody's document, not our page
	return c.Stream(http.StatusOK, "text/markdown; charset=utf-8", content)
}

func (a *API) chunks(c echo.Context) error {
	documents, id, err := a.document(c)
	if err != nil {
		return err
	}
	limit, err := limitOf(c)
	if err != nil {
		return err
	}
	page, err := documents.Chunks(c.Request().Context(), id, c.QueryParam("after"), limit)
	if err != nil {
		return err
	}
	if page.Chunks == nil {
		page.Chunks = empty
	}
	return c.JSON(http.StatusOK, page)
}

func (a *API) retryDocument(c echo.Context) error {
	documents, id, err := a.document(c)
	if err != nil {
		return err
	}
	var body struct {
		Limits event.Limits `json:"limits"`
	}
	if err := readBody(c, &body); err != nil {
		return err
	}
	if err := body.Limits.Check(); err != nil {
		return err
	}
	d, err := documents.Retry(c.Request().Context(), id, body.Limits.Job())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, d)
}

func (a *API) cancelDocument(c echo.Context) error {
	documents, id, err := a.document(c)
	if err != nil {
		return err
	}
	d, err := documents.Cancel(c.Request().Context(), id, caller(c))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, d)
}
