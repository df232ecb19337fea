package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/html/charset"

	"coppice/backend/core"
)

// Bounds on one request.
const (
	fetchTime    = 30 * time.Second
	maxBytes     = 5 << 20 // of the page, uncompressed
	maxHTMLBytes = 2 << 20 // of it that are converted
	maxRedirects = 5
	maxErrorText = 2_000
)

// Page is what a server answered, as text.
type Page struct {
	Address   Address // after redirects on the same host
	Kind      string  // the media type
	Text      string  // HTML as Markdown
	SizeBytes int64   // that were read
	Cut       bool    // the page is longer
	MovedTo   string  // the address of another host that the server names instead; the page is empty then
}

// Client fetches pages. It is safe for concurrent use.
type Client struct {
	resolver *net.Resolver // nil: that of the system
}

// refused is the error for an address that must not be connected to.
type refused struct{ host, ip string }

// Error describes the refusal for the model.
func (r refused) Error() string {
	return fmt.Sprintf("%s has the address %s, which is not public: it belongs to this machine or its network. If the user wants it, use the address itself, so that the permission names it", r.host, r.ip)
}

// Fetch requests a page. It connects only to public addresses, or to the one that the address itself names, whatever the name server
// answers; no proxy is used, which would look up the name on its own.
func (c *Client) Fetch(ctx context.Context, a Address) (Page, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.String(), nil)
	if err != nil {
		return Page{}, core.E(core.Invalid, "invalid address: %v", err)
	}
	request.Header.Set("User-Agent", "Coppice")
	request.Header.Set("Accept", "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1")
	client := c.client(a)
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return Page{}, failure(ctx, a, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	return read(ctx, response)
}

// client returns a client for the pages of one host.
func (c *Client) client(a Address) *http.Client {
	dialer := net.Dialer{
		Timeout: 10 * time.Second, Resolver: c.resolver,
		// After the name was looked up, so that an answer that changes between two look-ups opens nothing.
		Control: func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil || !a.mayDial(at.Addr()) {
				return refused{a.host, address}
			}
			return nil
		},
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, DisableKeepAlives: true,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 20 * time.Second, MaxResponseHeaderBytes: 256 << 10,
		},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errors.New("too many redirects")
			}
			to, err := ParseAddress(next.URL.String())
			if err != nil || !sameHost(a, to) {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}

// sameHost reports whether a redirect stays on the host: at most it turns encryption on.
func sameHost(from, to Address) bool {
	if from.Site() == to.Site() {
		return true
	}
	return from.url.Scheme == "http" && to.url.Scheme == "https" && from.hostPort() == from.url.Hostname() && from.hostPort() == to.hostPort()
}

// failure describes for the model why there is no answer.
func failure(ctx context.Context, a Address, err error) error {
	if r, ok := errors.AsType[refused](err); ok {
		return core.E(core.Denied, "%s", r.Error())
	}
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return core.E(core.Unavailable, "%s did not answer within %s", a.Site(), fetchTime)
	}
	return core.E(core.Unavailable, "fetch the page: %s", core.Cut(err.Error(), 500))
}

// read reads an answer.
func read(ctx context.Context, response *http.Response) (Page, error) {
	at, err := ParseAddress(response.Request.URL.String())
	if err != nil {
		return Page{}, err
	}
	page := Page{Address: at}
	if location, err := response.Location(); err == nil && response.StatusCode/100 == 3 {
		page.MovedTo = core.Cut(location.String(), maxURLBytes)
		return page, nil
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	if err != nil && len(data) == 0 {
		return page, failure(ctx, at, err)
	}
	if page.Cut = len(data) > maxBytes || err != nil; len(data) > maxBytes {
		data = data[:maxBytes]
	}
	page.SizeBytes = int64(len(data))
	header := response.Header.Get("Content-Type")
	if header == "" {
		header = http.DetectContentType(data)
	}
	if page.Kind, _, err = mime.ParseMediaType(header); err != nil {
		page.Kind = "application/octet-stream"
	}
	if !isText(page.Kind) {
		return page, core.E(core.Invalid, "%s is %s (%d bytes), and only text is shown", at, page.Kind, page.SizeBytes)
	}
	if isHTML(page.Kind) && len(data) > maxHTMLBytes {
		data, page.Cut = data[:maxHTMLBytes], true
	}
	page.SizeBytes = int64(len(data))
	if page.Text, err = textOf(ctx, data, header, page.Kind, at); err != nil {
		return page, err
	}
	if response.StatusCode >= 400 {
		return page, core.E(core.Unavailable, "the server answered %s: %s", response.Status, core.Cut(page.Text, maxErrorText))
	}
	return page, nil
}

// isText reports whether a media type is text for a model.
func isText(kind string) bool {
	switch {
	case strings.HasPrefix(kind, "text/"), strings.HasSuffix(kind, "+json"), strings.HasSuffix(kind, "+xml"):
		return kind != "image/svg+xml"
	}
	switch kind {
	case "application/json", "application/xml", "application/javascript", "application/yaml", "application/x-yaml", "application/toml", "application/x-sh", "application/x-ndjson":
		return true
	}
	return false
}

func isHTML(kind string) bool { return kind == "text/html" || kind == "application/xhtml+xml" }

// textOf returns the bytes of a page as UTF-8, and HTML as Markdown.
func textOf(ctx context.Context, data []byte, header, kind string, at Address) (string, error) {
	decoded, err := charset.NewReader(strings.NewReader(string(data)), header)
	if err == nil {
		if text, failed := io.ReadAll(decoded); failed == nil {
			data = text
		}
	}
	if isHTML(kind) {
		return markdownOf(ctx, data, at)
	}
	return string(data), nil
}
