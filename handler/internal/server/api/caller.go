package api

import (
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"
)

// principal is where Azure's own sign-in (App Service authentication) names the caller. It takes the header off requests from
// outside; where it is not switched on, callers with a function key may say who they are.
const principal = "X-MS-CLIENT-PRINCIPAL-NAME"

// maxCaller bounds a caller's name, in bytes.
const maxCaller = 200

// caller is who asks, for the record; empty when nobody says.
func caller(c echo.Context) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, c.Request().Header.Get(principal))
	return strings.ToValidUTF8(name[:min(len(name), maxCaller)], "")
}
