// Package web fetches pages of the web for a model: one request, within bounds, to no address of this machine or its network that the
// permission does not name.
package web

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"coppice/backend/core"
)

// maxURLBytes is more than browsers show.
const maxURLBytes = 8000

// Address is the address of a page, checked.
type Address struct {
	url  *url.URL
	host string     // in lower case, with punycode for other scripts
	ip   netip.Addr // valid if the host is an IP address
}

// ParseAddress checks the address of a page.
func ParseAddress(text string) (Address, error) {
	if len(text) > maxURLBytes {
		return Address{}, core.E(core.Invalid, "the address has more than %d bytes", maxURLBytes)
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return Address{}, core.E(core.Invalid, "invalid address: %v", err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return Address{}, core.E(core.Invalid, "invalid address %q: want http:// or https://", core.Cut(text, 200))
	case u.User != nil:
		return Address{}, core.E(core.Invalid, "an address with a user name or a password is not fetched")
	}
	a := Address{url: u, host: strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))}
	if ip, err := netip.ParseAddr(a.host); err == nil {
		a.ip = ip.Unmap().WithZone("")
	} else if a.host, err = idna.Lookup.ToASCII(a.host); err != nil || a.host == "" {
		return Address{}, core.E(core.Invalid, "invalid host %q", u.Hostname())
	}
	u.Host = a.hostPort()
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return a, nil
}

// hostPort returns the host, with the port if it is not that of the scheme.
func (a Address) hostPort() string {
	host := a.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := a.url.Port()
	if port == "" || a.url.Scheme == "https" && port == "443" || a.url.Scheme == "http" && port == "80" {
		return host
	}
	return host + ":" + port
}

// String returns the whole address.
func (a Address) String() string { return a.url.String() }

// Site returns what a permission for all pages of the host names: example.org, or http://example.org without encryption.
func (a Address) Site() string {
	if a.url.Scheme == "http" {
		return "http://" + a.hostPort()
	}
	return a.hostPort()
}

// isLocalName reports whether the host is a name of this machine.
func (a Address) isLocalName() bool {
	return a.host == "localhost" || strings.HasSuffix(a.host, ".localhost")
}

// NamesPrivate returns what the address itself names if that is not a public server; empty if it is one, or a name that must be looked up.
func (a Address) NamesPrivate() string {
	switch {
	case a.isLocalName(), a.ip.IsValid() && a.ip.IsLoopback():
		return "this machine"
	case a.ip.IsValid() && !isPublic(a.ip):
		return "an address that is not public"
	}
	return ""
}

// mayDial reports whether a connection to an IP address, of those that the host has, is permitted with the address: a public one, or the
// one that the address names.
func (a Address) mayDial(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	switch {
	case a.ip.IsValid():
		return ip == a.ip
	case a.isLocalName():
		return ip.IsLoopback()
	}
	return isPublic(ip)
}

// notPublic returns the networks that are for private and special use, beside those that net/netip knows (IANA's special-purpose address
// registries). Some carry an IPv4 address that might be private.
func notPublic() []netip.Prefix {
	var all []netip.Prefix
	for text := range strings.FieldsSeq("0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 " +
		"::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fec0::/10") {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// isPublic reports whether an address is one of the internet.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(notPublic(), func(p netip.Prefix) bool { return p.Contains(ip) })
}
