package web

import (
	"net/netip"
	"testing"
)

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // ADDRESS SITE PRIVATE
		"https://Example.org":                 "https://example.org/ example.org ",
		"https://example.org:443/a?b=c d#e":   "https://example.org/a?b=c d example.org ",
		"http://example.org.:80/":             "http://example.org/ http://example.org ",
		"https://example.org:8443/":           "https://example.org:8443/ example.org:8443 ",
		"https://bücher.example/":             "https://xn--bcher-kva.example/ xn--bcher-kva.example ",
		"http://localhost:3000/x":             "http://localhost:3000/x http://localhost:3000 this machine",
		"http://app.LOCALHOST/":               "http://app.localhost/ http://app.localhost this machine",
		"http://127.0.0.1:80/":                "http://127.0.0.1/ http://127.0.0.1 this machine",
		"http://[::1]:8080/":                  "http://[::1]:8080/ http://[::1]:8080 this machine",
		"http://[::ffff:127.0.0.1]/":          "http://[::ffff:127.0.0.1]/ http://[::ffff:127.0.0.1] this machine",
		"http://169.254.169.254/latest":       "http://169.254.169.254/latest http://169.254.169.254 an address that is not public",
		"http://10.0.0.1/":                    "http://10.0.0.1/ http://10.0.0.1 an address that is not public",
		"https://93.184.216.34/":              "https://93.184.216.34/ 93.184.216.34 ",
		"ftp://example.org/":                  "",
		"file:///etc/passwd":                  "",
		"https://user:secret@example.org/":    "",
		"https://user@example.org/":           "",
		"example.org":                         "",
		"https://":                            "",
		"https://exa mple.org/":               "",
		"javascript:alert(1)":                 "",
		"https://example.org\\@evil.example/": "",
	} {
		a, err := ParseAddress(text)
		got := ""
		if err == nil {
			got = a.String() + " " + a.Site() + " " + a.NamesPrivate()
		}
		if got != want {
			t.Errorf("%s: %q, want %q (%v)", text, got, want, err)
		}
	}
}

func TestMayDial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address, ip string
		want        bool
	}{
		{"https://example.org", "93.184.216.34", true},
		{"https://example.org", "2606:2800:220:1::1", true},
		{"https://example.org", "127.0.0.1", false},
		{"https://example.org", "10.1.2.3", false},
		{"https://example.org", "192.168.0.1", false},
		{"https://example.org", "172.16.0.1", false},
		{"https://example.org", "169.254.169.254", false},
		{"https://example.org", "100.64.0.1", false},
		{"https://example.org", "0.0.0.0", false},
		{"https://example.org", "224.0.0.1", false},
		{"https://example.org", "255.255.255.255", false},
		{"https://example.org", "::", false},
		{"https://example.org", "::1", false},
		{"https://example.org", "::ffff:10.0.0.1", false},
		{"https://example.org", "::ffff:93.184.216.34", true},
		{"https://example.org", "64:ff9b::a00:1", false},
		{"https://example.org", "2002:a00:1::", false},
		{"https://example.org", "fe80::1", false},
		{"https://example.org", "fd00::1", false},
		{"https://example.org", "ff02::1", false},
		{"http://localhost", "127.0.0.1", true},
		{"http://localhost", "::1", true},
		{"http://localhost", "10.0.0.1", false},
		{"http://localhost", "93.184.216.34", false},
		{"http://10.0.0.1", "10.0.0.1", true},
		{"http://10.0.0.1", "10.0.0.2", false},
		{"http://[::ffff:10.0.0.1]", "10.0.0.1", true},
	} {
		a, err := ParseAddress(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.mayDial(netip.MustParseAddr(c.ip)); got != c.want {
			t.Errorf("%s at %s: %v", c.address, c.ip, got)
		}
	}
}
