package web

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"coppice/backend/core"
)

// leftOut returns the elements that are not part of the text of a page.
func leftOut() []atom.Atom {
	return []atom.Atom{
		atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Canvas, atom.Iframe, atom.Object, atom.Embed, atom.Video, atom.Audio,
		atom.Nav, atom.Footer, atom.Button, atom.Select, atom.Dialog,
	}
}

// markdownOf is convert, but ends with ctx: the library does not.
func markdownOf(ctx context.Context, data []byte, at Address) (string, error) {
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if broken := recover(); broken != nil {
				done <- result{err: core.E(core.Internal, "convert the page: %v", broken)}
			}
		}()
		text, err := convert(ctx, data, at)
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return "", core.Wrap(core.Canceled, ctx.Err(), "convert the page")
	}
}

// convert returns a page of HTML as Markdown: its main part if it marks one.
func convert(ctx context.Context, data []byte, at Address) (string, error) {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return "", core.E(core.Invalid, "the page is not HTML that can be read: %v", err)
	}
	title := ""
	if found := find(doc, func(n *html.Node) bool { return n.DataAtom == atom.Title }); found != nil && found.FirstChild != nil {
		title = strings.Join(strings.Fields(found.FirstChild.Data), " ")
	}
	prune(doc)
	part := doc
	if main := find(doc, func(n *html.Node) bool { return n.DataAtom == atom.Main }); main != nil {
		part = main
	}
	flatten(part)
	// A model needs no escapes, and finding out which are needed takes time that grows with the square of a page's length.
	conv := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	text, err := conv.ConvertNode(part, converter.WithContext(ctx), converter.WithDomain(at.url.Scheme+"://"+at.url.Host))
	if err != nil {
		return "", core.E(core.Unavailable, "convert the page: %v", err)
	}
	body := strings.TrimSpace(string(text))
	if title != "" && !strings.HasPrefix(body, "# ") {
		body = "# " + title + "\n\n" + body
	}
	return body, nil
}

// find returns the first element that fits, in the order of the page.
func find(n *html.Node, fits func(*html.Node) bool) *html.Node {
	for node := range n.Descendants() {
		if node.Type == html.ElementNode && fits(node) {
			return node
		}
	}
	return nil
}

// prune removes what is not part of the text, and images whose bytes are in their address.
func prune(doc *html.Node) {
	var gone []*html.Node
	unwanted := leftOut()
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && (slices.Contains(unwanted, n.DataAtom) || isHidden(n) || n.DataAtom == atom.Img && isInline(n)) {
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// maxNesting is how many elements with marks in Markdown may be in each other. Each adds its mark to all lines of those within, so that the
// text of a hostile page would grow with the square of its length.
const maxNesting = 24

// marking returns the elements that are written with a mark.
func marking() []atom.Atom {
	return []atom.Atom{
		atom.Blockquote, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.A, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Tt,
		atom.B, atom.Strong, atom.I, atom.Em, atom.S, atom.Del, atom.Strike,
	}
}

// flatten makes plain elements of those that are nested too deep.
func flatten(root *html.Node) {
	depths, marked := map[*html.Node]int{}, marking()
	for n := range root.Descendants() {
		depth := depths[n.Parent]
		if slices.Contains(marked, n.DataAtom) {
			if depth++; depth > maxNesting {
				n.DataAtom, n.Data = atom.Span, "span"
			}
		}
		if n.FirstChild != nil {
			depths[n] = depth
		}
	}
}

// isHidden reports whether a page does not show an element: its text would reach the model alone.
func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		value := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
		if a.Key == "hidden" || a.Key == "aria-hidden" && value == "true" || a.Key == "style" && (strings.Contains(value, "display:none") || strings.Contains(value, "visibility:hidden")) {
			return true
		}
	}
	return false
}

func isInline(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "src" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "data:")
	})
}
