package transport

import (
	"net/http"
	"net/url"

	"coppice/backend/core"
)

// mostRedirects is how many redirects one call may follow.
const mostRedirects = 5

// SameServer follows a redirect only to the server that was called, with the same scheme. A request carries a key in a
// custom header, which http.Client would send to any host.
func SameServer(request *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > mostRedirects {
		return core.E(core.Invalid, "the server at %s redirects more than %d times", first.Host, mostRedirects)
	}
	if request.URL.Scheme == first.Scheme && address(request.URL) == address(first) {
		return nil
	}
	return core.E(core.Invalid, "the server at %s redirects to %s, where the key must not go", first.Host, request.URL.Scheme+"://"+request.URL.Host).
		WithHint("If that is the right server, set its address as base_url")
}

// address returns host and port.
func address(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return u.Hostname() + ":" + port
}
