package render

import (
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

// webPreview returns the pages that a search found, otherwise the beginning of what a fetch returned.
func (r *Renderer) webPreview(result *core.Part, id string) *Preview {
	pages := foundPages(result)
	if len(pages) == 0 {
		outputs := outputsOf(result)
		if len(outputs) == 0 {
			return nil
		}
		return r.prosePreview(PreviewWeb, outputs[0].Text, previewAnswer, id)
	}
	v := &Preview{Kind: PreviewWeb, Pages: pages[:min(len(pages), previewPages)]}
	v.Omitted = int64(len(pages) - len(v.Pages))
	return v
}

// maxPages bounds the pages that are counted.
const maxPages = 50

// foundPages returns the pages with a title and an address in the data of a result, otherwise those that Claude Code lists in its text.
func foundPages(result *core.Part) []WebPage {
	f := pageFinder{seen: map[string]bool{}}
	if len(result.Structured) > 0 && jsontext.Check(result.Structured) == "" {
		f.walk(gjson.ParseBytes(result.Structured), 6)
	}
	if len(f.pages) > 0 {
		return f.pages
	}
	for _, part := range outputsOf(result) {
		_, list, ok := strings.Cut(part.Text[:min(len(part.Text), 16<<10)], "Links: ")
		if line, _, _ := strings.Cut(list, "\n"); ok && jsontext.Check([]byte(line)) == "" {
			f.walk(gjson.Parse(line), 2)
		}
	}
	return f.pages
}

type pageFinder struct {
	pages []WebPage
	seen  map[string]bool
}

// walk collects the pages in a value, at most some levels deep.
func (f *pageFinder) walk(v gjson.Result, levels int) {
	if levels == 0 || len(f.pages) >= maxPages || !v.IsArray() && !v.IsObject() {
		return
	}
	if title, address := v.Get("title"), v.Get("url"); title.Type == gjson.String && address.Type == gjson.String {
		f.add(title.Str, address.Str)
		return
	}
	v.ForEach(func(_, item gjson.Result) bool {
		f.walk(item, levels-1)
		return len(f.pages) < maxPages
	})
}

func (f *pageFinder) add(title, address string) {
	safe, ok := prose.SafeURL(address)
	if !ok || f.seen[safe] {
		return
	}
	f.seen[safe] = true
	title = plain.Line(title, lineLength)
	if title == "" {
		title = hostOf(safe)
	}
	f.pages = append(f.pages, WebPage{Title: title, URL: safe})
}

func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address
	}
	return parsed.Host
}

// agentPreview returns the beginning of a subagent's answer, and what it used.
func (r *Renderer) agentPreview(result *core.Part, id string) *Preview {
	outputs := outputsOf(result)
	if len(outputs) == 0 {
		return nil
	}
	v := r.prosePreview(PreviewAgent, outputs[0].Text, previewAnswer, id)
	if v == nil {
		return nil
	}
	v.Steps = max(0, gjson.GetBytes(result.Structured, "totalToolUseCount").Int(), gjson.GetBytes(result.Structured, "steps").Int())
	v.Tokens = max(0, gjson.GetBytes(result.Structured, "totalTokens").Int(), gjson.GetBytes(result.Structured, "tokens").Int())
	v.Status = core.Status(plain.Visible(gjson.GetBytes(result.Structured, "status").Str))
	if cost := gjson.GetBytes(result.Structured, "costNanoUsd"); cost.Type == gjson.Number && cost.Int() >= 0 {
		v.CostNanoUSD = new(cost.Int())
	}
	return v
}
