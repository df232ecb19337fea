package prose

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// newHTMLRenderer writes the trees of newParser.
func newHTMLRenderer(r *Renderer) renderer.Renderer {
	footnoteID := func(n ast.Node) []byte {
		id, _ := n.OwnerDocument().Meta()["id"].(string)
		return []byte(id)
	}
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(&nodes{code: r}, 100),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(extension.WithFootnoteIDPrefixFunction(footnoteID),
			extension.WithFootnoteBacklinkHTML("↩")), 500),
		util.Prioritized(extension.NewTableHTMLRenderer(
			extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(goldhtml.NewRenderer(goldhtml.WithHardWraps()), 1000),
	))
}

// nodes renders the nodes that differ from goldmark's own way.
type nodes struct{ code *Renderer }

// RegisterFuncs implements renderer.NodeRenderer.
func (r *nodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindFencedCodeBlock, r.fence)
	reg.Register(ast.KindCodeBlock, r.fence)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindImage, r.image)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(extast.KindTaskCheckBox, r.task)
	reg.Register(extast.KindTable, r.table)
}

func (r *nodes) fence(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(source))
	}
	_, _ = w.WriteString(`<pre class="code" dir="ltr" tabindex="0"`)
	if language != "" {
		_, _ = w.WriteString(` data-lang="` + html.EscapeString(language) + `"`)
	}
	_, _ = w.WriteString("><code>")
	_, _ = w.WriteString(r.code.Code(blockText(n, source), language))
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// blockText returns a code block's text without its last line feed.
func blockText(n ast.Node, source []byte) string {
	return strings.TrimSuffix(string(n.Lines().Value(source)), "\n")
}

func (r *nodes) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.Link) //nolint:errcheck // it is called for nodes of this kind only
	address, safe := SafeURL(string(link.Destination))
	if safe && entering {
		_, _ = w.WriteString(`<a href="` + html.EscapeString(address) + `" rel="noopener noreferrer">`)
	} else if safe {
		_, _ = w.WriteString("</a>")
	} else if entering { // a path, or a scheme that is not let through: its text, and where it points as a hint
		_, _ = w.WriteString(`<span class="ref" title="` + html.EscapeString(string(link.Destination)) + `">`)
	} else {
		_, _ = w.WriteString("</span>")
	}
	return ast.WalkContinue, nil
}

// image writes a link in place of the image: a page never fetches what a text names.
func (r *nodes) image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	image := n.(*ast.Image) //nolint:errcheck // it is called for nodes of this kind only
	address, safe := SafeURL(string(image.Destination))
	end := "</span>"
	if safe {
		end = "</a>"
	}
	switch {
	case !entering:
		_, _ = w.WriteString(end)
		return ast.WalkContinue, nil
	case safe:
		_, _ = w.WriteString(`<a class="image" href="` + html.EscapeString(address) + `" rel="noopener noreferrer">`)
	default:
		_, _ = w.WriteString(`<span class="ref" title="` + html.EscapeString(clip(string(image.Destination))) + `">`)
	}
	if !n.HasChildren() {
		_, _ = w.WriteString("image")
	}
	return ast.WalkContinue, nil
}

// clip keeps a data: address from filling a title.
func clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

func (r *nodes) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*ast.AutoLink) //nolint:errcheck // it is called for nodes of this kind only
	label := html.EscapeString(string(link.Label(source)))
	raw := string(link.URL(source))
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(raw), "mailto:") {
		raw = "mailto:" + raw
	}
	address, safe := SafeURL(raw)
	if !safe {
		_, _ = w.WriteString(label)
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<a href="` + html.EscapeString(address) + `" rel="noopener noreferrer">` + label + "</a>")
	return ast.WalkContinue, nil
}

// task writes a sign instead of a control that cannot be used.
func (r *nodes) task(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		sign := "☐"
		if n.(*extast.TaskCheckBox).IsChecked { //nolint:errcheck // it is called for nodes of this kind only
			sign = "☑"
		}
		_, _ = w.WriteString(`<span class="task">` + sign + "</span> ")
	}
	return ast.WalkContinue, nil
}

// table puts the table into a box that scrolls by itself.
func (r *nodes) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="table" tabindex="0"><table dir="auto">` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
