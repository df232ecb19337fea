package tools

import (
	"context"
	"fmt"
	"strings"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
	"coppice/backend/tools/web"
)

type webFetchArgs struct {
	URL string `json:"url"`
}

type webFetch struct{ client *web.Client }

func newWebFetch(client *web.Client) Tool {
	t := define[webFetchArgs]("web_fetch", `
		"url": {"type": "string", "description": "The address of the page, with http:// or https://."}`, "url")
	w := webFetch{client}
	t.access, t.run = w.access, w.run
	return t
}

// access names the host and the whole address, so that a permission can cover either.
func (w webFetch) access(_ context.Context, args webFetchArgs) (core.Access, error) {
	a, err := web.ParseAddress(args.URL)
	if err != nil {
		return core.Access{}, err
	}
	title := "Fetch " + core.Preview(a.String(), 200)
	if private := a.NamesPrivate(); private != "" {
		title += " from " + private
	}
	return core.Access{
		Effect: core.EffectNetwork, Idempotent: true, Title: title, Preview: a.String(),
		// A * at the end would make a pattern of the address.
		Targets: []string{a.Site() + " " + strings.ReplaceAll(a.String(), "*", "%2A")}, Prefixes: []string{a.Site()},
	}, nil
}

func (w webFetch) run(ctx context.Context, _ core.ToolCall, args webFetchArgs) (core.ToolResult, error) {
	a, err := web.ParseAddress(args.URL)
	if err != nil {
		return core.ToolResult{}, err
	}
	page, err := w.client.Fetch(ctx, a)
	if err != nil {
		return core.ToolResult{}, err
	}
	if page.MovedTo != "" {
		return core.TextResult(fmt.Sprintf("The page has moved to another host, which was not called: %s\nTo read it there, fetch that address.", readable([]byte(page.MovedTo)))), nil
	}
	facts := fmt.Sprintf("%s (%s, %d bytes", page.Address, page.Kind, page.SizeBytes)
	if page.Cut {
		facts += ", and more that was not read"
	}
	text := readable([]byte(page.Text))
	if strings.TrimSpace(text) == "" {
		text = "(the page has no text)"
	}
	text = facts + ")\n\n" + text
	return outputResult(text, int64(len(text)), excerpt.CountLines(text)), nil
}
