package api

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/server"
)

var batchID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func (a *API) batches() (Batches, error) {
	if a.opt.Batches == nil {
		return nil, server.NotOffered("batches")
	}
	return a.opt.Batches, nil
}

func (a *API) batch(c echo.Context) (Batches, string, error) {
	batches, err := a.batches()
	if err != nil {
		return nil, "", err
	}
	id := c.Param("id")
	if !batchID.MatchString(id) {
		return nil, "", fault.New(fault.NotFound, "", nil)
	}
	return batches, id, nil
}

// submitBatch answers 202 at once, with where to look; 200 when the same key made the batch before.
func (a *API) submitBatch(c echo.Context) error {
	batches, err := a.batches()
	if err != nil {
		return err
	}
	var submit event.BatchSubmit
	if err := readBody(c, &submit); err != nil {
		return err
	}
	if submit.Key == "" {
		submit.Key = c.Request().Header.Get("Idempotency-Key")
	}
	if err := a.opt.Decoder.Check(&submit); err != nil {
		return err
	}
	if !submit.Expires.IsZero() && submit.Expires.Before(time.Now()) {
		return fault.New(fault.BadRequest, "expires lies in the past: nothing of the batch would start.", nil)
	}
	batch, created, err := batches.Submit(c.Request().Context(), submit)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Location", strings.TrimSuffix(c.Request().URL.Path, "/")+"/"+batch.ID)
	if !created {
		return c.JSON(http.StatusOK, batch)
	}
	return c.JSON(http.StatusAccepted, batch)
}

func (a *API) listBatches(c echo.Context) error {
	batches, err := a.batches()
	if err != nil {
		return err
	}
	limit, err := limitOf(c)
	if err != nil {
		return err
	}
	page, err := batches.List(c.Request().Context(), c.QueryParam("after"), limit)
	if err != nil {
		return err
	}
	slim := BatchPage{Batches: make([]Batch, 0, len(page.Batches)), Next: page.Next}
	for _, b := range page.Batches {
		b.Activity = nil
		slim.Batches = append(slim.Batches, b)
	}
	return c.JSON(http.StatusOK, slim)
}

func (a *API) findBatch(c echo.Context) error {
	batches, id, err := a.batch(c)
	if err != nil {
		return err
	}
	batch, err := batches.Find(c.Request().Context(), id)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, batch)
}

func (a *API) batchDocuments(c echo.Context) error {
	batches, id, err := a.batch(c)
	if err != nil {
		return err
	}
	query, err := queryOf(c)
	if err != nil {
		return err
	}
	page, err := batches.Documents(c.Request().Context(), id, query)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page.slim())
}

func (a *API) batchActivity(c echo.Context) error {
	batches, id, err := a.batch(c)
	if err != nil {
		return err
	}
	limit, err := limitOf(c)
	if err != nil {
		return err
	}
	page, err := batches.Activity(c.Request().Context(), id, c.QueryParam("after"), limit)
	if err != nil {
		return err
	}
	if page.Activity == nil {
		page.Activity = []Activity{}
	}
	return c.JSON(http.StatusOK, page)
}

func (a *API) cancelBatch(c echo.Context) error {
	batches, id, err := a.batch(c)
	if err != nil {
		return err
	}
	batch, err := batches.Cancel(c.Request().Context(), id, caller(c))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, batch)
}

func (a *API) retryBatch(c echo.Context) error {
	batches, id, err := a.batch(c)
	if err != nil {
		return err
	}
	var body struct {
		States []string `json:"states"`
	}
	if err := readBody(c, &body); err != nil {
		return err
	}
	for _, state := range body.States {
		if !slices.Contains(event.RetryStates, state) {
			return fault.Newf(fault.BadRequest, "states: %.40s is not one of %s.", state, strings.Join(event.RetryStates, ", "))
		}
	}
	batch, err := batches.Retry(c.Request().Context(), id, body.States)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, batch)
}
