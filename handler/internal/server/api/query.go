package api

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"decant/handler/internal/fault"
	"decant/handler/internal/lazyregexp"
)

// keyParameters are the host's own: how Azure's keys come in a query.
var keyParameters = []string{"code", "clientId"}

// queryParameters reads from the description which parameters a query may have, by method and path as echo writes it.
func queryParameters() map[string][]string {
	type reference struct {
		Ref string `json:"$ref"`
	}
	var described struct {
		Paths      map[string]map[string]struct{ Parameters []reference }
		Components struct {
			Parameters map[string]struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(openAPI, &described); err != nil {
		panic("api: internal error: openapi.json: " + err.Error())
	}
	known := map[string][]string{}
	for route, operations := range described.Paths {
		for method, operation := range operations {
			names := slices.Clone(keyParameters)
			for _, r := range operation.Parameters {
				if p := described.Components.Parameters[path.Base(r.Ref)]; p.In == "query" {
					names = append(names, p.Name)
				}
			}
			known[strings.ToUpper(method)+" "+pathParameter.ReplaceAllString(route, ":$1")] = names
		}
	}
	return known
}

var pathParameter = lazyregexp.New(`\{(\w+)\}`)

// checked refuses a query that cannot be read, or has parameters that the route does not know: a typo must not silently give
// another answer.
func (a *API) checked(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		query, err := url.ParseQuery(c.Request().URL.RawQuery)
		if err != nil {
			return fault.New(fault.BadRequest, "The query cannot be read. Escape what stands in it (%3B for a semicolon, %26 for an ampersand).", err)
		}
		_, route, _ := strings.Cut(strings.TrimPrefix(c.Path(), "/"), "/")
		known := a.parameters[c.Request().Method+" /"+route]
		for name := range query {
			if !slices.ContainsFunc(known, func(k string) bool {
				return k == name || strings.EqualFold(k, name) && slices.Contains(keyParameters, k)
			}) {
				return fault.Newf(fault.BadRequest, "%.40s: there is no such parameter here. GET /api/openapi.json lists those that there are.", name)
			}
		}
		return next(c)
	}
}
