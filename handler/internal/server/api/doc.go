// Package api is what people and programs reach under /api: health, statistics, documents, batches, and conversion of a small
// file in one request. openapi.json describes it and is served at /api/openapi.json; a test holds the two together.
//
// The package knows neither ledger nor storage: ports.go says what it needs, and app gives it. A part that is not given
// answers 501. Errors are problem details (server.Problem); the status follows from the fault's kind. Who may call is decided
// by the Functions host, with function keys or Entra; /api/health alone is open.
package api
