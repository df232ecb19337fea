package prose

import (
	"cmp"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"coppice/backend/render/plain"
)

// newHTMLRenderer returns a renderer for the trees of newParser.
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

// nodes renders the nodes that differ from goldmark's default.
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
	reg.Register(mathKind, r.math)
	reg.Register(mathBlockKind, r.mathBlock)
}

func (r *nodes) fence(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	info, language := fenceInfo(n, source)
	if info != "" {
		_, _ = w.WriteString(`<p class="info" dir="auto">` + html.EscapeString(info) + "</p>\n")
	}
	_, _ = w.WriteString(`<pre class="code" dir="ltr" tabindex="0"`)
	if language != "" && info == "" {
		_, _ = w.WriteString(` data-lang="` + html.EscapeString(language) + `"`)
	}
	_, _ = w.WriteString("><code>")
	_, _ = w.WriteString(r.code.Code(blockText(n, source), language))
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// fenceInfo returns the language in the line of an opening fence, and the line's text if it has more than that.
func fenceInfo(n ast.Node, source []byte) (info, language string) {
	fence, ok := n.(*ast.FencedCodeBlock)
	if !ok || fence.Info == nil {
		return "", ""
	}
	language = string(fence.Language(source))
	info = strings.TrimSpace(string(fence.Info.Segment.Value(source)))
	if info == language && isLanguage(language) {
		info = ""
	}
	return info, language
}

// blockText returns a code block's text without its last line feed.
func blockText(n ast.Node, source []byte) string {
	return strings.TrimSuffix(string(n.Lines().Value(source)), "\n")
}

func (r *nodes) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.Link) //nolint:errcheck // it is called for nodes of this kind only
	reference(w, n, entering, string(link.Destination), string(link.Title), "")
	return ast.WalkContinue, nil
}

// image writes a link in place of the image: a page never fetches what a text names.
func (r *nodes) image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	image := n.(*ast.Image) //nolint:errcheck // it is called for nodes of this kind only
	reference(w, n, entering, string(image.Destination), string(image.Title), "image")
	return ast.WalkContinue, nil
}

// reference writes the start or the end of a link. A path, or an address with a scheme that is not allowed, becomes a
// hint. A link without text shows its address, an image the word for it.
func reference(w util.BufWriter, n ast.Node, entering bool, destination, title, class string) {
	address, safe := SafeURL(destination)
	title = plain.Visible(unescaped(title))
	switch {
	case !entering && safe:
		_, _ = w.WriteString("</a>")
	case !entering:
		_, _ = w.WriteString("</span>")
	case safe:
		_, _ = w.WriteString("<a")
		if class != "" {
			_, _ = w.WriteString(` class="` + class + `"`)
		}
		_, _ = w.WriteString(` href="` + html.EscapeString(address) + `"`)
		if title != "" {
			_, _ = w.WriteString(` title="` + html.EscapeString(title) + `"`)
		}
		_, _ = w.WriteString(` rel="noopener noreferrer">`)
	default:
		hint := strings.TrimSpace(clip(unescaped(destination)) + "\n" + title)
		_, _ = w.WriteString(`<span class="ref" title="` + html.EscapeString(hint) + `">`)
	}
	if entering && !n.HasChildren() {
		_, _ = w.WriteString(html.EscapeString(cmp.Or(class, clip(destination))))
	}
}

// unescaped resolves the escapes and entities in an address or a title.
func unescaped(value string) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations([]byte(value)))))
}

// maxAddressBytes is how much of an address is shown; only data: addresses are longer.
const maxAddressBytes = 2000

// clip prevents a data: address from filling a title.
func clip(address string) string {
	if len(address) <= maxAddressBytes {
		return address
	}
	head, _ := plain.Head(address, maxAddressBytes)
	return head + "… (" + strconv.Itoa(len(address)) + " bytes)"
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

// task writes a character instead of a control that cannot be used.
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

// table puts the table into a box that scrolls on its own.
func (r *nodes) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="table" tabindex="0"><table dir="auto">` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
