package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/event"
	"decant/handler/internal/fault"
)

var empty = []json.RawMessage{}

// maxJSON bounds a JSON body: a batch of 100,000 documents with long names.
const maxJSON = 64 << 20

// readBody reads an optional JSON object; members that are not known are refused by name. No body leaves into as it is.
func readBody(c echo.Context, into any) error {
	decoder := json.NewDecoder(io.LimitReader(c.Request().Body, maxJSON))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the JSON object")
		}
	}
	if err != nil {
		return fault.New(fault.BadRequest, fmt.Sprintf("The request's body is not right: %s.", event.JSONProblem(err)), err)
	}
	return nil
}
