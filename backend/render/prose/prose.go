// Package prose converts the Markdown of messages to HTML that is safe on a page, and to Markdown that is safe in
// another document.
package prose

import (
	"bytes"
	"html"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"coppice/backend/render/highlight"
	"coppice/backend/render/plain"
)

// MaxBytes is the longest text that is read as Markdown. Longer texts are not prose; they are shown verbatim.
const MaxBytes = 256 << 10

// Renderer renders prose and code. It is safe for concurrent use.
type Renderer struct {
	parser parser.Parser
	writer renderer.Renderer
	policy *bluemonday.Policy

	code *highlight.Highlighter
}

// Options configure how one text is rendered.
type Options struct {
	ID      string // prefix of the ids of footnotes; unique on the page, of [A-Za-z0-9_-]
	Heading int    // the level of a first-level heading, 3 to 6; 0: 3
}

// New returns a Renderer.
func New() *Renderer {
	r := &Renderer{parser: newParser(), policy: newPolicy(), code: highlight.New()}
	r.writer = newHTMLRenderer(r)
	return r
}

// newParser reads GitHub's Markdown with footnotes and without HTML: tags are text like any other.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(mathBlockParser{}, 750),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(newNotes(), 999),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(mathParser{}, 100),
			util.Prioritized(extension.NewFootnoteParser(), 101),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(newWideTables(), 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(leftovers{}, 998),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999),
		),
	)
}

// HTML returns the Markdown as safe HTML. Line feeds inside a paragraph are preserved: users and models write them on
// purpose. A text that is too long or too deeply nested is shown verbatim, cut at MaxBytes.
func (r *Renderer) HTML(markdown string, o Options) string {
	source := []byte(plain.Visible(clean(markdown)))
	doc, ok := r.read(source, o)
	if !ok {
		return r.Verbatim(markdown)
	}
	var b bytes.Buffer
	if err := r.writer.Render(&b, source, doc); err != nil {
		return r.Verbatim(markdown)
	}
	return plain.Visible(r.policy.SanitizeReader(&b).String()) // an entity may encode a hidden character
}

// Verbatim returns the text unchanged in a box, cut at MaxBytes.
func (r *Renderer) Verbatim(text string) string {
	head, cut := plain.Head(text, MaxBytes)
	out := `<pre class="verbatim" dir="auto" tabindex="0">` + html.EscapeString(plain.Visible(clean(head))) + "</pre>"
	if cut {
		out += `<p class="note">Cut here: this is the beginning of a very long text.</p>`
	}
	return out
}

// read parses the source. It reports false for a source that is too long, or nests too deep, to be shown as Markdown.
func (r *Renderer) read(source []byte, o Options) (doc ast.Node, ok bool) {
	if !readable(source) {
		return nil, false
	}
	doc = r.parse(source, o)
	return doc, !deeperThan(doc, maxTreeDepth)
}

// deeperThan reports whether a tree nests deeper than some levels. It descends no deeper.
func deeperThan(n ast.Node, levels int) bool {
	if levels == 0 {
		return true
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if deeperThan(child, levels-1) {
			return true
		}
	}
	return false
}

// parse reads the source and prepares its tree for a page: headings shifted, direction set, ids unique.
func (r *Renderer) parse(source []byte, o Options) ast.Node {
	doc := r.parser.Parse(text.NewReader(source))
	doc.OwnerDocument().AddMeta("id", o.ID)
	shift := max(o.Heading, 3) - 1
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(n.Level+shift, 6)
			n.SetAttributeString("dir", []byte("auto"))
		case *ast.Paragraph, *ast.Blockquote, *ast.ListItem:
			n.SetAttributeString("dir", []byte("auto"))
		case *ast.List:
			// Its items have their own direction, but their marks are on the side that the list begins at.
			if startsRightToLeft(n, source) {
				n.SetAttributeString("dir", []byte("rtl"))
			}
		}
		return ast.WalkContinue, nil
	}) // the callback returns no error
	return doc
}

// clean returns the text as valid UTF-8 with \n as line end.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}
