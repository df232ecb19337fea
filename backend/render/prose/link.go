package prose

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/util"
)

// SafeURL returns the address in a form for documents; false if it is not allowed: only http and https with a host, and
// mailto, are. The address is as written in Markdown, with escapes and entities unresolved.
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
		return "", false // a host that allows no escapes
	}
	return escaped, true
}
