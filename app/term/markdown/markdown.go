// Package markdown lays out Markdown for a terminal: as lines of styled text that fit its width.
package markdown

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"coppice/backend/render/highlight"
	"coppice/backend/render/plain"
)

// Renderer lays out Markdown. It is safe for concurrent use.
type Renderer struct {
	color  bool
	parser goldmark.Markdown
	code   func() *highlight.Highlighter // made when code is first shown
}

// New returns a Renderer. Without color its lines have no escape sequences, and emphasis keeps its marks.
func New(color bool) *Renderer {
	return &Renderer{
		color: color, parser: goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)),
		code: sync.OnceValue(highlight.New),
	}
}

// The narrowest text, and the indentation of code.
const (
	minWidth   = 12
	codeIndent = "  "
)

// Lines returns the lines of a text. No line is wider than width columns, except for code, which is not wrapped so that it can be copied. What
// a terminal would interpret in the text is made visible.
func (r *Renderer) Lines(source string, width int) []string {
	data := []byte(source)
	l := layout{renderer: r, source: data}
	blocks := l.blocks(r.parser.Parser().Parse(text.NewReader(data)), max(width, minWidth), false)
	lines := make([]string, len(blocks))
	for i, line := range blocks {
		lines[i] = line.text(r.color)
	}
	return lines
}

// layout lays out one document.
type layout struct {
	renderer *Renderer
	source   []byte
}

// blocks lays out the children of a block. A tight list has no empty lines between its items.
func (l *layout) blocks(parent ast.Node, width int, tight bool) []line {
	var all []line
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := l.block(n, width)
		if len(block) == 0 {
			continue
		}
		if len(all) > 0 && !tight {
			all = append(all, line{})
		}
		all = append(all, block...)
	}
	return all
}

func (l *layout) block(n ast.Node, width int) []line {
	switch n := n.(type) {
	case *ast.Heading:
		return l.heading(n, width)
	case *ast.ThematicBreak:
		return []line{{{strings.Repeat("─", min(width, 40)), dim}}}
	case *ast.Blockquote:
		return indented(l.blocks(n, width-2, false), span{"│ ", dim}, span{"│ ", dim})
	case *ast.List:
		return l.list(n, width)
	case *ast.FencedCodeBlock:
		return l.codeBlock(l.raw(n), string(n.Language(l.source)))
	case *ast.CodeBlock:
		return l.codeBlock(l.raw(n), "")
	case *ast.HTMLBlock:
		return verbatim(l.raw(n), width)
	case *extast.Table:
		return l.table(n, width)
	default: // a paragraph, or the text of an item
		return wrap(l.inline(n, 0), width)
	}
}

func (l *layout) heading(n *ast.Heading, width int) []line {
	style := bold
	if n.Level == 1 {
		style |= underline
	}
	spans := l.inline(n, style)
	if !l.renderer.color {
		spans = append([]span{{strings.Repeat("#", n.Level) + " ", 0}}, spans...)
	}
	return wrap(spans, width)
}

// raw returns the lines of a block as they are in the source.
func (l *layout) raw(n ast.Node) string {
	return strings.TrimSuffix(string(n.Lines().Value(l.source)), "\n")
}

func (l *layout) list(n *ast.List, width int) []line {
	var all []line
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		body := l.blocks(item, width-columns(mark), n.IsTight)
		if len(body) == 0 {
			body = []line{{}}
		}
		if len(all) > 0 && !n.IsTight {
			all = append(all, line{})
		}
		all = append(all, indented(body, span{mark, dim}, span{strings.Repeat(" ", columns(mark)), 0})...)
	}
	return all
}

// codeBlock lays out code with the colors of its language.
func (l *layout) codeBlock(code, language string) []line {
	code = strings.ReplaceAll(code, "\t", "    ")
	if lines, ok := l.renderer.code().Lines(code, language); ok {
		all := make([]line, len(lines))
		for i, spans := range lines {
			all[i] = line{{codeIndent, 0}}
			for _, s := range spans {
				all[i] = append(all[i], span{s.Text, classStyle(s.Class)})
			}
		}
		return all
	}
	var all []line
	for one := range strings.SplitSeq(code, "\n") {
		all = append(all, line{{codeIndent + one, codeStyle}})
	}
	return all
}

// verbatim wraps text that is not Markdown.
func verbatim(source string, width int) []line {
	var all []line
	for one := range strings.SplitSeq(source, "\n") {
		all = append(all, wrap([]span{{one, 0}}, width)...)
	}
	return all
}

// indented puts first before the first line, and rest before the others.
func indented(lines []line, first, rest span) []line {
	all := make([]line, len(lines))
	for i, one := range lines {
		before := rest
		if i == 0 {
			before = first
		}
		all[i] = append(line{before}, one...)
	}
	return all
}

// inline returns the spans of the text of a block. A span "\n" breaks the line.
func (l *layout) inline(parent ast.Node, style style) []span {
	var all []span
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		all = append(all, l.inlineNode(n, style)...)
	}
	return all
}

func (l *layout) inlineNode(n ast.Node, style style) []span {
	switch n := n.(type) {
	case *ast.Text:
		return l.textNode(n, style)
	case *ast.String:
		return []span{{string(n.Value), style}}
	case *ast.CodeSpan:
		return l.marked("`", []span{{l.rawInline(n), style | codeStyle}})
	case *ast.Emphasis:
		if n.Level == 2 {
			return l.marked("**", l.inline(n, style|bold))
		}
		return l.marked("*", l.inline(n, style|italic))
	case *extast.Strikethrough:
		return l.marked("~~", l.inline(n, style|struck))
	case *ast.Link:
		return l.link(l.inline(n, style|underline), string(n.Destination), style)
	case *ast.Image:
		return l.link(l.inline(n, style), string(n.Destination), style)
	case *ast.AutoLink:
		return []span{{string(n.URL(l.source)), style | underline}}
	case *ast.RawHTML:
		return []span{{string(n.Segments.Value(l.source)), style}}
	case *extast.TaskCheckBox:
		if n.IsChecked {
			return []span{{"☑ ", style}}
		}
		return []span{{"☐ ", style}}
	default:
		return l.inline(n, style)
	}
}

func (l *layout) textNode(n *ast.Text, style style) []span {
	value := n.Segment.Value(l.source)
	if !n.IsRaw() {
		value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
	}
	all := []span{{string(value), style}}
	switch {
	case n.HardLineBreak():
		all = append(all, span{"\n", 0})
	case n.SoftLineBreak():
		all = append(all, span{" ", style})
	}
	return all
}

// rawInline returns the text of a code span.
func (l *layout) rawInline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.WriteString(strings.ReplaceAll(string(t.Segment.Value(l.source)), "\n", " "))
		}
	}
	return b.String()
}

// marked puts the marks of the source around spans if no color shows what they mean.
func (l *layout) marked(mark string, spans []span) []span {
	if l.renderer.color {
		return spans
	}
	return append(append([]span{{mark, 0}}, spans...), span{mark, 0})
}

// link returns a text and the address that it leads to, unless that is the text.
func (l *layout) link(label []span, address string, style style) []span {
	var shown strings.Builder
	for _, s := range label {
		shown.WriteString(s.value)
	}
	if address == "" || shown.String() == address || "mailto:"+shown.String() == address {
		return label
	}
	return append(label, span{" (", style | dim}, span{address, style | dim}, span{")", style | dim})
}

// Wrap returns a text that is not Markdown as lines of at most width columns. Line feeds stay.
func Wrap(source string, width int) []string {
	blocks := verbatim(source, width)
	lines := make([]string, len(blocks))
	for i, one := range blocks {
		lines[i] = one.text(false)
	}
	return lines
}

// columns returns the width of a text on the screen.
func columns(text string) int { return span{text, 0}.width() }

// visible makes visible what a terminal would interpret.
func visible(text string) string {
	return plain.Visible(strings.ReplaceAll(strings.ReplaceAll(text, "\t", "    "), "\n", " "))
}
