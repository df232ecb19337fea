// Package safety checks, for tests, that HTML has no active content: it parses a page as a browser does and lists what
// must not be there.
package safety

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Problems returns what in the HTML could run, load, or leave the page without a click. It accepts the elements named
// in allow (script, style, meta, input, button …); the caller checks them itself.
func Problems(page string, allow ...string) []string {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return []string{"unreadable: " + err.Error()}
	}
	var problems []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		isDrawing := n.Namespace == "svg" && slices.Contains(allow, "svg") && drawing(n.Data)
		if active(n.Data) && !slices.Contains(allow, n.Data) || n.Namespace != "" && !isDrawing {
			problems = append(problems, "element "+n.Data)
		}
		for _, a := range n.Attr {
			if problem := attribute(n.Data, a); problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// drawing reports whether an element of SVG only draws, or is a link.
func drawing(element string) bool {
	switch element {
	case "svg", "path", "circle", "title", "a":
		return true
	}
	return false
}

func active(element string) bool {
	switch element {
	case "script", "style", "iframe", "object", "embed", "applet", "link", "meta", "base", "form", "input", "button", "select",
		"textarea", "svg", "math", "video", "audio", "source", "track", "frame", "frameset", "template", "noscript", "portal",
		"marquee", "isindex", "keygen", "img", "image", "picture", "dialog", "slot", "canvas":
		return true
	}
	return false
}

func attribute(element string, a html.Attribute) string {
	name := strings.ToLower(a.Key)
	switch {
	case strings.HasPrefix(name, "on"), name == "style", name == "srcdoc", name == "formaction", name == "background", name == "ping",
		name == "srcset", name == "poster", name == "xlink:href", name == "target":
		return fmt.Sprintf("attribute %s on %s", name, element)
	case name == "href" && !address(a.Val):
		return fmt.Sprintf("address %q on %s", a.Val, element)
	case name == "src" && !strings.HasPrefix(a.Val, "data:image/png;base64,") && !strings.HasPrefix(a.Val, "data:image/jpeg;base64,") &&
		!strings.HasPrefix(a.Val, "data:image/gif;base64,") && !strings.HasPrefix(a.Val, "data:image/webp;base64,"):
		return fmt.Sprintf("source %.60q on %s", a.Val, element)
	}
	return ""
}

// address reports whether an address is safe, by its scheme alone: the browser neither leaves the page nor starts
// another program.
func address(raw string) bool {
	if strings.HasPrefix(raw, "#") {
		return true
	}
	u, err := url.Parse(strings.TrimLeft(raw, "\x00\t\n\r "))
	return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "mailto")
}

// Corpus returns texts that have run scripts in pages that trusted their Markdown, their HTML or their names.
func Corpus() []string {
	return []string{
		`<script>alert(1)</script>`,
		`"><script>alert(1)</script>`,
		`'><img src=x onerror=alert(1)>`,
		`</title><script>alert(1)</script>`,
		`</style><script>alert(1)</script>`,
		`</pre></code></details><svg onload=alert(1)>`,
		`--><script>alert(1)</script><!--`,
		`]]><script>alert(1)</script>`,
		`<img src="https://example.org/x.png" onload=alert(1)>`,
		`<svg><script>alert(1)</script></svg>`,
		`<math><mtext></p><img src=x onerror=alert(1)>`,
		`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
		`<a href="javascript:alert(1)">x</a>`,
		`[x](javascript:alert(1))`,
		`[x](JaVaScRiPt:alert(1))`,
		`[x](java&#115;cript:alert(1))`,
		"[x](java\tscript:alert(1))",
		`[x](&#x6A;avascript:alert(1))`,
		`[x](\javascript:alert(1))`,
		`[x](javascript&colon;alert(1))`,
		`[x](data:text/html;base64,PHNjcmlwdD4=)`,
		`[x](vbscript:msgbox(1))`,
		`[x](//example.org/x)`,
		`[x](file:///etc/passwd)`,
		`[x](https://example.org" onmouseover="alert(1))`,
		`[x](<https://example.org/" onmouseover=alert(1) ">)`,
		`[x]: javascript:alert(1)` + "\n\n[x]",
		`<javascript:alert(1)>`,
		`<https://example.org/"onmouseover="alert(1)>`,
		`![x](javascript:alert(1))`,
		`![x](https://example.org/x.png)`,
		`![x](data:image/svg+xml;base64,PHN2Zz4=)`,
		`![" onerror="alert(1)](x)`,
		"```\"><script>alert(1)</script>\nx\n```",
		"```js\n</code></pre><script>alert(1)</script>\n```",
		"`</code><script>alert(1)</script>`",
		"| a |\n| - |\n| <script>alert(1)</script> |",
		"| a |\n| :-\" onload=\"alert(1) |\n| x |",
		"x[^1]\n\n[^1]: <img src=x onerror=alert(1)>",
		"x[^\"><script>alert(1)</script>]\n\n[^\"><script>alert(1)</script>]: y",
		"# <script>alert(1)</script>",
		"# x {onclick=alert(1)}",
		"- [x] <img src=x onerror=alert(1)>",
		`<style>*{background:url(https://example.org)}</style>`,
		`<link rel=stylesheet href=https://example.org/x.css>`,
		`<meta http-equiv=refresh content="0;url=https://example.org">`,
		`<base href="https://example.org/">`,
		`<form action=https://example.org><input type=submit></form>`,
		`<div style="background:url(javascript:alert(1))">x</div>`,
		`<details open ontoggle=alert(1)>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
		`<template><script>alert(1)</script></template>`,
		"<scr\x00ipt>alert(1)</scr\x00ipt>",
		"\xff<script>alert(1)</script>",
		"\u2028<script>alert(1)</script>",
		`{{constructor.constructor('alert(1)')()}}`,
		`$&$1$'` + "$`<script>alert(1)</script>",
		`%3Cscript%3Ealert(1)%3C/script%3E`,
		`&lt;script&gt;alert(1)&lt;/script&gt;`,
		`www.example.org/"onmouseover="alert(1)`,
		"https://example.org/<script>alert(1)</script>",
		`mailto:a@b.c"onclick="alert(1)`,
		"\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07",
	}
}
