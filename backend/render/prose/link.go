package prose

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/util"
)

// SafeURL returns the address as it may stand in a document, or false: only http and https with a
// host, and mailto, are let through. The address is as the writer of Markdown wrote it, with
// escapes and entities unresolved.
func SafeURL(raw string) (string, bool) {
	text := strings.TrimSpace(unescaped(raw))
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return "", false
	}
	address, err := url.Parse(text)
	if err != nil {
		return "", false
	}
	switch strings.ToLower(address.Scheme) {
	case "http", "https":
		if address.Host == "" {
			return "", false
		}
	case "mailto":
		if address.Opaque == "" {
			return "", false
		}
	default:
		return "", false
	}
	escaped := string(util.URLEscape([]byte(text), false))
	if _, err := url.Parse(escaped); err != nil {
		return "", false // a host that takes no escapes
	}
	return escaped, true
}
