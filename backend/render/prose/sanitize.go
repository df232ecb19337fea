package prose

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

// newPolicy allows what the renderers of this package write and nothing else. It is a second line of defence: a defect
// in them, or in the Markdown parser, cannot put active content on a page.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "del", "code", "pre", "ul", "ol", "li", "blockquote",
		"h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "span", "div", "sup")
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`^(auto|ltr|rtl)$`)).Globally()
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(chroma-[a-z]{1,3}|task|ref)$`)).OnElements("span")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(code|verbatim)$`)).OnElements("pre")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^math( display)?$`)).OnElements("code")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(table|footnotes)$`)).OnElements("div")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(image|footnote-ref|footnote-backref)$`)).OnElements("a")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(note|info)$`)).OnElements("p")
	p.AllowAttrs("data-lang").Matching(regexp.MustCompile(`^[\p{L}\p{N}+#._-]{1,40}$`)).OnElements("pre") // as in isLanguage
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("pre", "div")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	p.AllowAttrs("title").OnElements("span", "a")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^[A-Za-z0-9_-]*fn(ref[0-9]*)?:[0-9]+$`)).OnElements("li", "sup")
	p.AllowAttrs("href").Matching(regexp.MustCompile(`(?i)^(https?://|mailto:|#[A-Za-z0-9_-]*fn(ref[0-9]*)?:[0-9]+$)`)).OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^noopener noreferrer$`)).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true) // the pattern of href allows only the footnotes' fragments
	p.RequireParseableURLs(true)
	return p
}
