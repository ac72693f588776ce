package account

import "net/http"

// Transport sends the requests of all clients. It keeps as many connections to a service as documents are worked on at once:
// the usual client keeps two and opens others anew for each request.
var Transport = &http.Client{Transport: keeping(64)}

func keeping(connections int) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 4*connections, connections
	return t
}
